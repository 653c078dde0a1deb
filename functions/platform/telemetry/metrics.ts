import { metricUnits, type MetricName } from '#shared/metrics.ts'

/** What a line says beside its values. No dimensions: each combination of those would be a metric of its own on the bill. */
interface MetricContext {
  requestId?: string
  route?: string
  /** why something failed, in a machine's word */
  code?: string
  /** the provider in question, where the product knows it */
  provider?: string
}

const contextFields = [
  'requestId',
  'route',
  'code',
  'provider',
] as const satisfies readonly (keyof MetricContext)[]

/**
 * Writes what was measured as one line of CloudWatch's embedded metric format, from which CloudWatch makes metrics in the
 * stage's namespace: no call, nothing to wait for. Both parameters are allow-lists: what they do not name is not written.
 * Without a namespace nothing is.
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
  // not console: Lambda would wrap what that prints
  process.stdout.write(`${JSON.stringify(line)}\n`)
}
