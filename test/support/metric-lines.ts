import * as z from 'zod'

const text = z.string().min(1).max(255)

/**
 * The rules of the embedded metric format: the JSON schema in its specification, and the text's rules about the members that a
 * directive refers to.
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format_Specification.html
 */
const metricLine = z
  .looseObject({
    _aws: z.strictObject({
      Timestamp: z.int(),
      CloudWatchMetrics: z.array(
        z.strictObject({
          Namespace: text,
          Dimensions: z.array(z.array(text).max(9)).min(1),
          Metrics: z
            .array(
              z.strictObject({
                Name: text,
                Unit: z.enum(['Seconds', 'Milliseconds', 'Count', 'Percent']).optional(),
              }),
            )
            .max(100),
        }),
      ),
    }),
  })
  .superRefine((root, check) => {
    const addIssue = (path: string, message: string) =>
      check.addIssue({ code: 'custom', path: [path], message })
    for (const { Dimensions, Metrics } of root._aws.CloudWatchMetrics) {
      for (const name of Dimensions.flat())
        if (typeof root[name] !== 'string') addIssue(name, 'is a dimension without a text')
      for (const { Name } of Metrics) {
        const values = [root[Name]].flat()
        if (values.length > 100 || values.some((value) => typeof value !== 'number'))
          addIssue(Name, 'is a metric without numbers')
      }
    }
  })

/**
 * A function's metrics: the metric lines of its output, checked against the format.
 * @param output standard output, other lines included
 * @throws z.ZodError for a line that CloudWatch would not accept
 */
export function metricLines(output: string) {
  return output
    .split('\n')
    .filter((line) => line.startsWith('{"_aws":'))
    .map((line) => {
      const { _aws, ...members } = metricLine.parse(JSON.parse(line))
      const [directive] = _aws.CloudWatchMetrics
      const names = directive?.Metrics.map(({ Name }) => Name) ?? []
      return {
        namespace: directive?.Namespace,
        dimensions: directive?.Dimensions,
        units: Object.fromEntries(directive?.Metrics.map(({ Name, Unit }) => [Name, Unit]) ?? []),
        values: Object.fromEntries(names.map((name) => [name, members[name]])),
        about: Object.fromEntries(Object.entries(members).filter(([name]) => !names.includes(name))),
      }
    })
}
