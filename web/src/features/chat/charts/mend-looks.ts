import { isObject, type JsonObject } from './chart-data.ts'

// Words of looks that the library does not know, and would draw nothing for: the chart is drawn without them.

const words = (text: string) => new Set(text.split(' '))

/** https://vega.github.io/vega/docs/schemes/ */
const schemes = words(
  'accent category10 category20 category20b category20c dark2 observable10 paired pastel1 pastel2 set1 set2 set3 tableau10 tableau20 blues greens greys oranges purples reds bluegreen bluepurple greenblue orangered purpleblue purplebluegreen purplered redpurple yellowgreen yelloworangebrown yelloworangered blueorange brownbluegreen purplegreen purpleorange redblue redgrey yellowgreenblue redyellowblue redyellowgreen pinkyellowgreen spectral viridis magma inferno plasma cividis rainbow sinebow turbo browns tealblues teals warmgreys goldgreen goldorange goldred lightgreyred lightgreyteal lightmulti lightorange lighttealblue darkblue darkgold darkgreen darkmulti darkred',
)
const ranges = words('width height symbol category ordinal ramp diverging heatmap')
const curves = words(
  'basis basis-open basis-closed bundle cardinal cardinal-open cardinal-closed catmull-rom linear linear-closed monotone natural step step-before step-after',
)
const colourSpaces = words('rgb hsl hsl-long lab hcl hcl-long cubehelix cubehelix-long')
const shapes = words(
  'circle square cross diamond triangle triangle-up triangle-down triangle-right triangle-left arrow wedge stroke',
)

const isScheme = (scheme: unknown) => {
  const name = isObject(scheme) ? scheme['name'] : scheme
  return Array.isArray(name) || (typeof name === 'string' && schemes.has(name.toLowerCase()))
}

/** https://d3js.org/d3-format#locale_format */
const numberFormat = /^(?:.?[<>=^])?[+\-( ]?[$#]?0?\d*,?(?:\.\d+)?~?[a-z%]?$/i

/** Whether a key of a specification has a value that the library knows, or may know. */
export function isKnownLook(key: string, value: unknown): boolean {
  switch (key) {
    case 'scheme':
      return isScheme(value)
    case 'range':
      return typeof value !== 'string' || ranges.has(value)
    case 'interpolate':
      return typeof value !== 'string' || curves.has(value) || colourSpaces.has(value)
    case 'shape':
      return typeof value !== 'string' || isShape(value)
    default:
      return true
  }
}

/** A name, or the path of a drawing. */
const isShape = (shape: string) => shapes.has(shape) || /^[Mm]\s*-?[\d.]/.test(shape)

/** Drops the formats and shapes of a channel that are none. */
export function dropUnknownLooks(name: string, definition: JsonObject): void {
  if (name === 'shape' && typeof definition['value'] === 'string' && !isShape(definition['value']))
    delete definition['value']
  const isTime = definition['type'] === 'temporal' || definition['timeUnit'] !== undefined
  for (const place of [definition, definition['axis'], definition['legend'], definition['header']]) {
    if (!isObject(place) || typeof place['format'] !== 'string') continue
    const { format } = place
    const isKnown =
      isTime || place['formatType'] === 'time' ? /%[a-z]/i.test(format) : numberFormat.test(format)
    if (!isKnown) delete place['format']
  }
}
