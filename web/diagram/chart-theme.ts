import type { Config } from 'vega-lite'
import { narrowPx } from './chart-layout.ts'

/** The colours of src/styles/tokens.css, which the iframe does not load. */
export const lightColours = {
  surface: '#ffffff',
  ink: '#221f1b',
  'ink-muted': '#5b5650',
  line: '#e6e3df',
  'line-strong': '#d5d1cb',
  'line-control': '#948f88',
  accent: '#5f49c5',
  'surface-pressed': '#e8e4de',
  'tile-1-ink': '#7d3d39',
  'tile-2-ink': '#6c4b17',
  'tile-3-ink': '#2c5c38',
  'tile-4-ink': '#005b66',
  'tile-5': '#e2eefd',
  'tile-5-ink': '#2e5483',
  'tile-6-ink': '#6b406e',
  warning: '#b46d10',
  success: '#14804f',
} as const

export const darkColours: Record<keyof typeof lightColours, string> = {
  surface: '#1e1c1a',
  ink: '#edebe7',
  'ink-muted': '#b6b2ac',
  line: '#2d2a28',
  'line-strong': '#3f3b37',
  'line-control': '#77726d',
  accent: '#aa9cf6',
  'surface-pressed': '#34312d',
  'tile-1-ink': '#f9bdb7',
  'tile-2-ink': '#e9c89b',
  'tile-3-ink': '#aedbb6',
  'tile-4-ink': '#97dbe7',
  'tile-5': '#212f41',
  'tile-5-ink': '#afd1fc',
  'tile-6-ink': '#e6bfe7',
  warning: '#ebb353',
  success: '#61ca8f',
}

type Colours = Readonly<Record<keyof typeof lightColours, string>>

export const chartColours = (isDark: boolean): Colours => (isDark ? darkColours : lightColours)

const font = 'system-ui, sans-serif'

/**
 * The look of all charts. Marks are grey until a specification says otherwise: the accent is for what the text speaks of.
 * @param widthPx what there is for the drawing
 * @param hasLongLabels the labels below do not fit beside each other
 */
export function buildChartConfig(isDark: boolean, widthPx: number, hasLongLabels: boolean): Config {
  const isNarrow = widthPx < narrowPx
  const colours = chartColours(isDark)
  const neutral = colours['line-control']
  const text = { labelColor: colours['ink-muted'], titleColor: colours.ink }
  const strokes = { stroke: colours['ink-muted'] }
  return {
    background: colours.surface,
    font,
    padding: 0,
    view: { stroke: null, continuousHeight: 260, discreteHeight: { step: 26 }, discreteWidth: { step: 26 } },
    title: {
      anchor: 'start',
      color: colours.ink,
      subtitleColor: colours['ink-muted'],
      fontSize: 14,
      fontWeight: 500,
      subtitleFontSize: 12,
      offset: 12,
    },
    axis: {
      ...text,
      labelFontSize: 12,
      titleFontSize: 12,
      titleFontWeight: 500,
      labelPadding: 6,
      titlePadding: 8,
      labelLimit: isNarrow ? 110 : 180,
      domainColor: colours['line-strong'],
      tickColor: colours['line-strong'],
      gridColor: colours.line,
    },
    axisXDiscrete: { labelAngle: hasLongLabels ? -40 : 0, ...(hasLongLabels && { labelLimit: 140 }) },
    axisDiscrete: { ticks: false },
    axisTemporal: { grid: false },
    axisQuantitative: { labelLimit: 0, domain: false, ticks: false, tickCount: 5 },
    legend: {
      ...text,
      labelFontSize: 12,
      titleFontSize: 12,
      titleFontWeight: 500,
      labelLimit: 160,
      symbolStrokeWidth: 2,
      ...(isNarrow && { orient: 'top', columns: Math.max(1, Math.floor(widthPx / 140)) }),
    },
    header: { ...text, labelFontSize: 12, titleFontSize: 12, titleFontWeight: 500 },
    scale: { barBandPaddingInner: 0.3, rectBandPaddingInner: 0.04 },
    // a name without a value stays a name
    mark: { color: neutral, invalid: 'break-paths-show-domains' },
    bar: { cornerRadiusEnd: 3 },
    arc: { stroke: colours.surface },
    // points that are not seen have the values of a line for the tooltip
    line: { ...strokes, strokeWidth: 2, point: { opacity: 0, filled: true, size: 200 } },
    trail: { fill: colours['ink-muted'] },
    point: { ...strokes, filled: false },
    rule: strokes,
    tick: { color: colours['ink-muted'] },
    text: { color: colours.ink, fontSize: 12 },
    boxplot: { median: { color: colours.surface } },
    range: {
      category: [
        colours['tile-5-ink'],
        colours.warning,
        colours['tile-4-ink'],
        colours['tile-1-ink'],
        colours.success,
        colours['tile-6-ink'],
        colours['line-control'],
        colours['tile-2-ink'],
        colours['tile-3-ink'],
        colours.ink,
      ],
      ordinal: [colours['surface-pressed'], colours['tile-5-ink']],
      ramp: [colours['tile-5'], colours['tile-5-ink']],
      heatmap: [colours['tile-5'], colours['tile-5-ink']],
      diverging: [colours.warning, colours['surface-pressed'], colours['tile-5-ink']],
    },
  }
}
