/** An alarm of a template. */
export interface Alarm {
  readonly AlarmName: string
  readonly ComparisonOperator: string
  readonly Threshold: number
  readonly EvaluationPeriods: number
  readonly DatapointsToAlarm?: number
  readonly TreatMissingData?: string
  readonly Namespace?: string
  readonly MetricName?: string
  readonly Dimensions?: readonly Dimension[]
  readonly Statistic?: string
  readonly ExtendedStatistic?: string
  readonly Period?: number
  readonly Metrics?: readonly AlarmMetric[]
}
interface Dimension {
  readonly Name: string
  readonly Value: string
}
interface AlarmMetric {
  readonly Id: string
  readonly Expression?: string
  readonly ReturnData?: boolean
  readonly MetricStat?: {
    readonly Metric: {
      readonly Namespace: string
      readonly MetricName: string
      readonly Dimensions?: readonly Dimension[]
    }
    readonly Stat: string
    readonly Period: number
  }
}

/** A metric that an alarm watches. */
export interface WatchedMetric {
  /** in an expression; undefined: the alarm's only metric */
  readonly id: string | undefined
  readonly namespace: string
  readonly name: string
  readonly dimensions: Readonly<Record<string, string>>
  readonly statistic: string
  readonly periodSeconds: number
}

const toRecord = (dimensions: readonly Dimension[] = []) =>
  Object.fromEntries(dimensions.map(({ Name, Value }) => [Name, Value]))

/** Every metric that an alarm watches, directly or in an expression. */
export function listWatched(alarm: Alarm): WatchedMetric[] {
  if (alarm.MetricName !== undefined)
    return [
      {
        id: undefined,
        namespace: alarm.Namespace ?? '',
        name: alarm.MetricName,
        dimensions: toRecord(alarm.Dimensions),
        statistic: alarm.ExtendedStatistic ?? alarm.Statistic ?? '',
        periodSeconds: alarm.Period ?? 0,
      },
    ]
  return (alarm.Metrics ?? []).flatMap(({ Id, MetricStat }) =>
    MetricStat
      ? [
          {
            id: Id,
            namespace: MetricStat.Metric.Namespace,
            name: MetricStat.Metric.MetricName,
            dimensions: toRecord(MetricStat.Metric.Dimensions),
            statistic: MetricStat.Stat,
            periodSeconds: MetricStat.Period,
          },
        ]
      : [],
  )
}

/** A value for each period, oldest first; undefined: nothing was measured. */
type Series = readonly (number | undefined)[]
type Measured = (metric: WatchedMetric) => readonly (readonly number[])[]

/**
 * The state of an alarm after the last of the periods that were measured, by CloudWatch's rules: missing data is treated as the alarm says
 * only if there are too few measurements a little farther back, which are taken in its place otherwise.
 * @param measure the values of a metric by periods, oldest first
 * @param quota of the metric that `SERVICE_QUOTA` names
 * @throws Error for what is not known here: a statistic, an operator or a function of metric math
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/alarm-evaluation.html
 */
export function evaluateAlarm(
  alarm: Alarm,
  measure: Measured,
  quota: (metric: WatchedMetric) => number,
): 'ALARM' | 'OK' | 'unchanged' {
  const { EvaluationPeriods: count } = alarm
  const series = computeSeries(alarm, measure, quota)
  const measured = lastOf(series, count + furtherPeriods).filter((value) => value !== undefined)
  const recent = lastOf(measured.length >= count ? measured : series, count)
  const isBreaching = compare(alarm)
  const missing = alarm.TreatMissingData ?? 'missing'
  if (recent.every((value) => value === undefined)) {
    if (missing === 'ignore') return 'unchanged'
    if (missing === 'missing') throw new Error(`${alarm.AlarmName} has no state without data`)
  }
  const breaching = recent.filter((value) =>
    value === undefined ? missing === 'breaching' : isBreaching(value),
  )
  return breaching.length >= (alarm.DatapointsToAlarm ?? alarm.EvaluationPeriods) ? 'ALARM' : 'OK'
}

/** AWS's example looks at five periods for an alarm of three; how many they are in general is not documented. */
const furtherPeriods = 2

function lastOf(series: Series, count: number): Series {
  return [...Array<undefined>(count), ...series].slice(-count)
}

function compare({ ComparisonOperator, Threshold }: Alarm): (value: number) => boolean {
  switch (ComparisonOperator) {
    case 'GreaterThanOrEqualToThreshold':
      return (value) => value >= Threshold
    case 'GreaterThanThreshold':
      return (value) => value > Threshold
    case 'LessThanThreshold':
      return (value) => value < Threshold
    case 'LessThanOrEqualToThreshold':
      return (value) => value <= Threshold
    default:
      throw new Error(`comparison ${ComparisonOperator}`)
  }
}

/** @throws Error for an unknown statistic */
function summarise(values: readonly number[], statistic: string): number | undefined {
  if (values.length === 0) return undefined
  const sorted = values.toSorted((a, b) => a - b)
  const percentile = /^p(\d+)$/.exec(statistic)?.[1]
  if (percentile !== undefined)
    return sorted[Math.ceil((Number(percentile) / 100) * sorted.length) - 1] ?? sorted[0]
  switch (statistic) {
    case 'Sum':
      return values.reduce((total, value) => total + value, 0)
    case 'Maximum':
      return sorted.at(-1)
    case 'Minimum':
      return sorted[0]
    default:
      throw new Error(`statistic ${statistic}`)
  }
}

function computeSeries(alarm: Alarm, measure: Measured, quota: (metric: WatchedMetric) => number): Series {
  const watched = listWatched(alarm)
  const toSeries = (metric: WatchedMetric): Series =>
    measure(metric).map((values) => summarise(values, metric.statistic))
  const [only] = watched
  if (only && only.id === undefined) return toSeries(only)
  const returned = (alarm.Metrics ?? []).filter(({ ReturnData }) => ReturnData !== false)
  const [{ Expression } = {}, ...others] = returned
  if (Expression === undefined || others.length > 0)
    throw new Error(`${alarm.AlarmName} returns no one expression`)
  const find = (id: string) => {
    const metric = watched.find((one) => one.id === id)
    if (!metric) throw new Error(`${alarm.AlarmName} has no metric ${id}`)
    return metric
  }
  return evaluateExpression(Expression, {
    series: (id) => toSeries(find(id)),
    quota: (id) => quota(find(id)),
  })
}

/**
 * Evaluates an expression of metric math: numbers, ids, `+ - * /`, parentheses, `FILL(id, number)` and `SERVICE_QUOTA(id)`.
 * @throws Error for anything else
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/using-metric-math.html
 */
export function evaluateExpression(
  expression: string,
  { series, quota }: { series: (id: string) => Series; quota: (id: string) => number },
): Series {
  const tokens = expression.match(/[A-Za-z_]\w*|\d+(?:\.\d+)?|\S/g) ?? []
  let at = 0
  const take = (expected?: string): string => {
    const token = tokens[at++]
    if (token === undefined || (expected !== undefined && token !== expected))
      throw new Error(`${expected ?? 'more'} expected in ${expression}`)
    return token
  }
  type Value = number | Series

  function call(name: string): Value {
    take('(')
    const id = take()
    if (name === 'SERVICE_QUOTA') {
      take(')')
      return quota(id)
    }
    if (name !== 'FILL') throw new Error(`function ${name} in ${expression}`)
    take(',')
    const filling = Number(take())
    take(')')
    const values = series(id)
    // beside something that was measured only
    return values.every((value) => value === undefined) ? values : values.map((value) => value ?? filling)
  }

  function operand(): Value {
    const token = take()
    if (token === '(') {
      const value = sum()
      take(')')
      return value
    }
    if (/^\d/.test(token)) return Number(token)
    if (!/^[A-Za-z_]/.test(token)) throw new Error(`${token} in ${expression}`)
    return tokens[at] === '(' ? call(token) : series(token)
  }

  const product = () => chain(operand, { '*': (a, b) => a * b, '/': (a, b) => a / b })
  const sum = (): Value => chain(product, { '+': (a, b) => a + b, '-': (a, b) => a - b })

  function chain(next: () => Value, operators: Record<string, (a: number, b: number) => number>): Value {
    let left = next()
    for (let apply = operators[tokens[at] ?? '']; apply; apply = operators[tokens[at] ?? '']) {
      at += 1
      left = combine(left, next(), apply)
    }
    return left
  }

  const result = sum()
  if (at < tokens.length || typeof result === 'number') throw new Error(`no series: ${expression}`)
  return result
}

function combine(
  left: number | Series,
  right: number | Series,
  apply: (a: number, b: number) => number,
): number | Series {
  if (typeof left === 'number' && typeof right === 'number') return apply(left, right)
  const valueAt = (value: number | Series, index: number) =>
    typeof value === 'number' ? value : value[index]
  const { length } = typeof left === 'number' ? (right as Series) : left
  return Array.from({ length }, (_, index) => {
    const [a, b] = [valueAt(left, index), valueAt(right, index)]
    return a === undefined || b === undefined ? undefined : apply(a, b)
  })
}
