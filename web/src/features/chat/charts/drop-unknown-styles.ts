import { isObject, type JsonObject, splitWords } from './chart-data.ts'

// Names of styles that the library does not know would leave the chart empty. It is drawn without them.

/** https://vega.github.io/vega/docs/schemes/ */
const schemes = new Set(
  splitWords(
    'accent category10 category20 category20b category20c dark2 observable10 paired pastel1 pastel2 set1 set2 set3 tableau10 tableau20 blues greens greys oranges purples reds bluegreen bluepurple greenblue orangered purpleblue purplebluegreen purplered redpurple yellowgreen yelloworangebrown yelloworangered blueorange brownbluegreen purplegreen purpleorange redblue redgrey yellowgreenblue redyellowblue redyellowgreen pinkyellowgreen spectral viridis magma inferno plasma cividis rainbow sinebow turbo browns tealblues teals warmgreys goldgreen goldorange goldred lightgreyred lightgreyteal lightmulti lightorange lighttealblue darkblue darkgold darkgreen darkmulti darkred',
  ),
)
/** https://vega.github.io/vega-lite/docs/scale.html#range-config */
const ranges = new Set(splitWords('width height symbol category ordinal ramp diverging heatmap'))
/** https://vega.github.io/vega-lite/docs/line.html#properties */
const curves = new Set(
  splitWords(
    'basis basis-open basis-closed bundle cardinal cardinal-open cardinal-closed catmull-rom linear linear-closed monotone natural step step-before step-after',
  ),
)
/** https://vega.github.io/vega/docs/scales/#quantitative */
const colourSpaces = new Set(splitWords('rgb hsl hsl-long lab hcl hcl-long cubehelix cubehelix-long'))
/** https://vega.github.io/vega-lite/docs/point.html#properties */
const shapes = new Set(
  splitWords(
    'circle square cross diamond triangle triangle-up triangle-down triangle-right triangle-left arrow wedge stroke',
  ),
)

const isScheme = (scheme: unknown) => {
  const name = isObject(scheme) ? scheme['name'] : scheme
  return Array.isArray(name) || (typeof name === 'string' && schemes.has(name.toLowerCase()))
}

/** https://d3js.org/d3-format#locale_format */
const numberFormat = /^(?:.?[<>=^])?[+\-( ]?[$#]?0?\d*,?(?:\.\d+)?~?[a-z%]?$/i

/** The way in which a scale mixes colours, or a mark connects points. */
const isInterpolation = (value: unknown, isOfScale: boolean) => {
  const name = isObject(value) ? value['type'] : value
  return typeof name !== 'string' || (isOfScale ? colourSpaces : curves).has(name)
}

/** Whether the library may know the value of a key. True for keys that are not checked here. @param parent the key of the object around it */
export function isKnownStyle(key: string, value: unknown, parent: string | undefined): boolean {
  switch (key) {
    case 'scheme':
      return isScheme(value)
    case 'range':
      return typeof value !== 'string' || ranges.has(value)
    case 'interpolate':
      return isInterpolation(value, parent === 'scale')
    case 'shape':
      return typeof value !== 'string' || isShape(value)
    default:
      return true
  }
}

/** Whether a text is the name of a shape, or an SVG path. */
const isShape = (shape: string) => shapes.has(shape) || /^[Mm]\s*-?[\d.]/.test(shape)

/** Whether the library can format by a text: `%Y` for times, `,.2f` for numbers. */
const isFormat = (format: string, isTime: boolean) =>
  isTime ? /%[-_0]?[a-z]/i.test(format) : numberFormat.test(format)

/** Drops invalid formats and shapes of a channel, in place. @param name of the channel */
export function dropUnknownStyles(name: string, definition: JsonObject): void {
  if (name === 'shape' && typeof definition['value'] === 'string' && !isShape(definition['value']))
    delete definition['value']
  const isTime = definition['type'] === 'temporal' || definition['timeUnit'] !== undefined
  for (const part of [definition, definition['axis'], definition['legend'], definition['header']]) {
    if (!isObject(part) || typeof part['format'] !== 'string') continue
    if (!isFormat(part['format'], isTime || part['formatType'] === 'time')) delete part['format']
  }
}
