import { metricUnits, type MetricName } from '#shared/metrics.ts'

/** Properties of a line besides its values. Not dimensions: each combination of those would be billed as a metric. */
interface MetricContext {
  requestId?: string
  route?: string
  /** error code */
  code?: string
  /** the provider, if known */
  provider?: string
}

const contextFields = [
  'requestId',
  'route',
  'code',
  'provider',
] as const satisfies readonly (keyof MetricContext)[]

/**
 * Writes metrics as one line in CloudWatch's embedded metric format, without a call. Both parameters are allow-lists. Without a namespace
 * nothing is written.
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format_Specification.html
 */
export function measure(
  values: { [Name in MetricName]?: number | undefined },
  context: MetricContext = {},
): void {
  const namespace = process.env['METRICS_NAMESPACE']
  const measured = Object.entries(metricUnits).flatMap(([name, unit]) => {
    const value = values[name as MetricName]
    return Number.isFinite(value) ? [{ name, unit, value }] : []
  })
  if (!namespace || measured.length === 0) return
  const line: Record<string, unknown> = {
    _aws: {
      Timestamp: Date.now(),
      CloudWatchMetrics: [
        {
          Namespace: namespace,
          Dimensions: [[]],
          Metrics: measured.map(({ name, unit }) => ({ Name: name, Unit: unit })),
        },
      ],
    },
  }
  for (const field of contextFields) if (context[field] !== undefined) line[field] = context[field]
  for (const { name, value } of measured) line[name] = value
  // not console.log, which Lambda wraps
  process.stdout.write(`${JSON.stringify(line)}\n`)
}
