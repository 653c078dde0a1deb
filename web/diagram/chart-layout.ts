type Spec = Record<string, unknown>

const isObject = (value: unknown): value is Spec =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A view that is narrower than this says little. */
const minViewPx = 180

/** Below this width, legends stand above the chart. */
export const narrowPx = 480

const defaultWidthPx = 300
const heightsPx = { min: 40, max: 800 }
const minWidthPx = 20

/** Whether it has several views beside or above each other. */
function isComposed(spec: Spec): boolean {
  const encoding = isObject(spec['encoding']) ? spec['encoding'] : {}
  return (
    ['concat', 'hconcat', 'vconcat', 'facet', 'repeat'].some((key) => key in spec) ||
    ['row', 'column', 'facet'].some((key) => encoding[key] !== undefined)
  )
}

/** A copy whose parts that draw, layers as a whole, are changed. */
function mapViews(spec: Spec, change: (view: Spec) => Spec): Spec {
  if ('mark' in spec || 'layer' in spec) return change(spec)
  const mapChild = (child: unknown) => (isObject(child) ? mapViews(child, change) : child)
  return Object.fromEntries(
    Object.entries(spec).map(([key, value]) => [
      key,
      key.toLowerCase().endsWith('concat') && Array.isArray(value)
        ? value.map(mapChild)
        : key === 'spec'
          ? mapChild(value)
          : value,
    ]),
  )
}

const maxWidthPx = 2000
const maxStepPx = 100

const clamp = (value: number, min: number, max: number) => Math.min(max, Math.max(min, value))

/** A size that a screen has. @returns undefined for one that depends on a page */
function cleanLength(size: unknown, min: number, max: number): unknown {
  if (typeof size === 'number') return clamp(size, min, max)
  const step = isObject(size) ? size['step'] : undefined
  return typeof step === 'number' ? { step: clamp(step, 1, maxStepPx) } : undefined
}

/** Removes sizes that depend on a page, and limits others. */
function cleanSize({ width, height, ...view }: Spec): Spec {
  const { layer } = view
  const sizes = {
    width: cleanLength(width, minWidthPx, maxWidthPx),
    height: cleanLength(height, heightsPx.min, heightsPx.max),
  }
  return {
    ...view,
    ...Object.fromEntries(Object.entries(sizes).filter(([, size]) => size !== undefined)),
    ...(Array.isArray(layer) && { layer: layer.map((one) => (isObject(one) ? cleanSize(one) : one)) }),
  }
}

/** Puts views that would be too narrow beside each other below each other. */
function stack(spec: Spec, widthPx: number): Spec {
  const columns = Math.max(1, Math.floor(widthPx / minViewPx))
  const { hconcat, ...rest } = spec
  if (Array.isArray(hconcat)) return { ...rest, concat: hconcat, columns }
  if (
    'concat' in spec ||
    Array.isArray(spec['repeat']) ||
    (isObject(spec['facet']) && 'field' in spec['facet'])
  )
    return { ...spec, columns }
  if (isObject(spec['facet']) && isObject(spec['facet']['column']) && !('row' in spec['facet']))
    return { ...spec, facet: spec['facet']['column'], columns }
  const { column, ...encoding } = isObject(spec['encoding']) ? spec['encoding'] : {}
  if (isObject(column) && encoding['row'] === undefined)
    return { ...spec, encoding: { ...encoding, facet: { ...column, columns } } }
  if (isObject(encoding['facet']))
    return { ...spec, encoding: { ...encoding, facet: { ...encoding['facet'], columns } } }
  return spec
}

/** With the width of each view multiplied. */
const scale = (spec: Spec, factor: number): Spec =>
  mapViews(spec, (view) => ({
    ...view,
    width: Math.max(
      minWidthPx,
      (typeof view['width'] === 'number' ? view['width'] : defaultWidthPx) * factor,
    ),
  }))

/**
 * Fits a chart into a width. One view takes it as its own. Several cannot: what stands beside them, such as axes, is measured with two widths,
 * and the views get what is left.
 * @param measure the width of a drawing
 */
export async function fitWidth(
  chart: object,
  widthPx: number,
  measure: (spec: object) => Promise<number>,
): Promise<object> {
  const spec = mapViews(chart as Spec, cleanSize)
  if (!isComposed(spec))
    return {
      ...spec,
      width: limitWidth(spec, widthPx),
      autosize: { type: 'fit-x', contains: 'padding' },
    }
  const findFactor = async (candidate: Spec) => {
    const [full, half] = [await measure(scale(candidate, 1)), await measure(scale(candidate, 0.5))]
    return (widthPx - (2 * half - full)) / Math.max(1, 2 * (full - half))
  }
  const factor = await findFactor(spec)
  if (factor * defaultWidthPx >= minViewPx / 1.5) return scale(spec, factor)
  const stacked = stack(spec, widthPx)
  return scale(stacked, Math.max(0.2, stacked === spec ? factor : await findFactor(stacked)))
}

/** Of a letter of an axis. */
const letterPx = 6.6
const labelGapPx = 10

/** Bars of fewer names do not fill a wide page. */
const maxBandPx = 140
const minPlotPx = 320

const formatLabel = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value ?? ''))

const isBar = ({ mark }: Spec) => mark === 'bar' || (isObject(mark) && mark['type'] === 'bar')

function limitWidth(spec: Spec, widthPx: number): number {
  const count = collectUnits(spec).some(isBar) ? listLabels(spec).length : 0
  return count === 0 ? widthPx : Math.min(widthPx, Math.max(minPlotPx, count * maxBandPx))
}

/** The names below a chart. @returns empty if there are none, or where no one place has them */
function listLabels(spec: Spec): string[] {
  const rows = isObject(spec['data']) ? spec['data']['values'] : undefined
  const x = collectUnits(spec)
    .map((view) => (isObject(view['encoding']) ? view['encoding']['x'] : undefined))
    .find((definition) => isObject(definition) && /^(?:nominal|ordinal)$/.test(String(definition['type'])))
  if (!isObject(x) || !Array.isArray(rows)) return []
  return [...new Set(rows.map((row: Spec) => formatLabel(row[String(x['field'])])))]
}

/**
 * Whether the names below a chart do not fit beside each other.
 * @param spec with its data
 * @param plotPx about the width between the axes
 */
export function hasLongLabels(spec: object, plotPx: number): boolean {
  const labels = listLabels(spec as Spec)
  const longest = Math.max(0, ...labels.map((label) => label.length))
  return labels.length * (longest * letterPx + labelGapPx) > plotPx
}

const collectUnits = (spec: Spec): Spec[] => [
  spec,
  ...(Array.isArray(spec['layer']) ? spec['layer'].filter(isObject).flatMap(collectUnits) : []),
]
