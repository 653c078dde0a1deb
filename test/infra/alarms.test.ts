import { isDeepStrictEqual } from 'node:util'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { metricUnits, type MetricName } from '#shared/metrics.ts'
import { measure } from '../../functions/platform/telemetry/metrics.ts'
import { type AlarmCase, alarmCases } from '../support/alarm-cases.ts'
import {
  type Alarm,
  evaluateAlarm,
  evaluateExpression,
  listWatched,
  type WatchedMetric,
} from './alarm-evaluation.ts'
import { configurations, variants } from './configurations.ts'
import { type StackName, synthesise, type Synthesised } from './synthesised.ts'

/** Configurations that differ in their alarms. */
const deployments: Readonly<Record<string, Synthesised>> = {
  default: synthesise(),
  full: synthesise(configurations.full),
  'a check from outside': synthesise(variants['a check from outside']),
}

const listAlarms = (app: Synthesised) =>
  (Object.keys(app.stacks) as StackName[]).flatMap((stack) =>
    app
      .resources(stack, 'AWS::CloudWatch::Alarm')
      .map(({ Properties }) => ({ stack, alarm: Properties as unknown as Alarm })),
  )
const toName = ({ AlarmName }: Alarm) => AlarmName.split('-').at(-1) ?? ''
const alarms = Object.entries(deployments).flatMap(([deployment, app]) =>
  listAlarms(app).map(({ stack, alarm }) => ({ deployment, app, stack, alarm, name: toName(alarm) })),
)

afterEach(() => {
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
})

/** What the functions write of a metric, as CloudWatch reads it from their log. */
function writeOwnMetric(
  app: Synthesised,
  name: MetricName,
): Pick<WatchedMetric, 'namespace' | 'name' | 'dimensions'> {
  const [fn] = app.resources('api', 'AWS::Lambda::Function')
  if (!fn) throw new Error('there is no function')
  const { Variables } = fn.Properties['Environment'] as { Variables: Record<string, string> }
  vi.stubEnv('METRICS_NAMESPACE', Variables['METRICS_NAMESPACE'])
  const written = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  measure({ [name]: 1 })
  const line = JSON.parse(String(written.mock.calls[0]?.[0])) as {
    _aws: { CloudWatchMetrics: { Namespace: string; Dimensions: string[][]; Metrics: { Name: string }[] }[] }
  } & Record<string, unknown>
  written.mockRestore()
  const [{ Namespace, Dimensions, Metrics } = { Namespace: '', Dimensions: [], Metrics: [] }] =
    line._aws.CloudWatchMetrics
  return {
    namespace: Namespace,
    name: Metrics[0]?.Name ?? '',
    dimensions: Object.fromEntries((Dimensions[0] ?? []).map((key) => [key, String(line[key])])),
  }
}

/**
 * The metrics of AWS that it measures with these dimensions, and the value of each.
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/aws-services-cloudwatch-metrics.html
 */
const awsMetrics: Readonly<
  Record<string, (app: Synthesised, stack: StackName) => Readonly<Record<string, readonly string[]>>>
> = {
  'AWS/Lambda Errors': (app) => ({ FunctionName: listIds(app, 'api', 'AWS::Lambda::Function') }),
  'AWS/Lambda Throttles': (app) => ({ FunctionName: listIds(app, 'api', 'AWS::Lambda::Function') }),
  // of the account
  'AWS/Lambda ConcurrentExecutions': () => ({}),
  'AWS/Lambda ClaimedAccountConcurrency': () => ({}),
  'AWS/ApiGateway 5XXError': (app) => ({
    ApiName: app
      .resources('api', 'AWS::ApiGateway::RestApi')
      .map(({ Properties }) => String(Properties['Name'])),
  }),
  'AWS/SQS ApproximateNumberOfMessagesVisible': (app) => ({
    QueueName: listIds(app, 'api', 'AWS::SQS::Queue').map((id) => `${id}.QueueName`),
  }),
  'AWS/DynamoDB WriteThrottleEvents': (app) => ({ TableName: listIds(app, 'data', 'AWS::DynamoDB::Table') }),
  // in us-east-1 only
  'AWS/Route53 HealthCheckStatus': (app, stack) =>
    app.stacks[stack].environment.region === 'us-east-1'
      ? { HealthCheckId: listIds(app, stack, 'AWS::Route53::HealthCheck').map((id) => `${id}.HealthCheckId`) }
      : {},
}
const listIds = (app: Synthesised, stack: StackName, type: string) =>
  app.resources(stack, type).map(({ id }) => `${stack}/${id}`)

/** Whether the functions, or AWS, measure a metric of this namespace and name with these dimensions. */
function isMeasured(
  app: Synthesised,
  stack: StackName,
  { namespace, name, dimensions }: WatchedMetric,
): boolean {
  if (!namespace.startsWith('AWS/'))
    return (
      name in metricUnits &&
      isDeepStrictEqual({ namespace, name, dimensions }, writeOwnMetric(app, name as MetricName))
    )
  const known = awsMetrics[`${namespace} ${name}`]?.(app, stack)
  return (
    known !== undefined &&
    isDeepStrictEqual(Object.keys(dimensions), Object.keys(known)) &&
    Object.entries(known).every(([key, values]) => values.includes(dimensions[key] ?? ''))
  )
}

const quotas: Readonly<Record<string, number>> = { 'AWS/Lambda ConcurrentExecutions': 1_000 }
function findQuota({ namespace, name, dimensions }: WatchedMetric): number {
  const found = quotas[`${namespace} ${name}`]
  if (found === undefined || Object.keys(dimensions).length > 0)
    throw new Error(`no quota of ${namespace} ${name}`)
  return found
}

type Data = AlarmCase['raises'][number]
const isPeriods = (data: Data): data is readonly (readonly number[])[] => Array.isArray(data)
function evaluate(alarm: Alarm, data: Data) {
  const measured = ({ id }: WatchedMetric) => {
    const periods = isPeriods(data)
      ? id === undefined
        ? data
        : undefined
      : id === undefined
        ? undefined
        : data[id]
    if (!periods) throw new Error(`no data of ${id ?? 'its only metric'}`)
    return periods
  }
  return evaluateAlarm(alarm, measured, findQuota)
}

describe('each alarm', () => {
  it('has its case, and each case its alarm', () => {
    expect(Object.keys(alarmCases).toSorted()).toEqual(
      [...new Set(alarms.map(({ name }) => name))].toSorted(),
    )
  })

  it.each(alarms)(
    '$name ($deployment) starts by its case, ends, and is as decided without data',
    ({ alarm, name }) => {
      const { raises, leaves, unmeasured } = alarmCases[name] ?? { raises: [], leaves: [], unmeasured: 'OK' }
      expect(raises.length).toBeGreaterThan(0)
      expect(raises.map((data) => evaluate(alarm, data))).toEqual(raises.map(() => 'ALARM'))
      expect(leaves.length).toBeGreaterThan(0)
      expect(leaves.map((data) => evaluate(alarm, data))).toEqual(leaves.map(() => 'OK'))
      expect(evaluateAlarm(alarm, () => [], findQuota)).toBe(unmeasured)
    },
  )

  it.each(alarms)('$name ($deployment) watches what is measured', ({ app, stack, alarm }) => {
    const watched = listWatched(alarm)
    expect(watched.length).toBeGreaterThan(0)
    expect(watched.map((metric) => [metric.name, isMeasured(app, stack, metric)])).toEqual(
      watched.map(({ name }) => [name, true]),
    )
  })
})

describe('the evaluation', () => {
  const alarm: Alarm = {
    AlarmName: 'any',
    ComparisonOperator: 'GreaterThanOrEqualToThreshold',
    Threshold: 2,
    EvaluationPeriods: 2,
    TreatMissingData: 'notBreaching',
    Namespace: 'any',
    MetricName: 'any',
    Statistic: 'Sum',
    Period: 60,
  }
  const state = (change: Partial<Alarm>, data: Data) => evaluate({ ...alarm, ...change }, data)

  it('knows periods, statistics, comparisons and missing data', () => {
    expect(state({}, [[2], [1, 1]])).toBe('ALARM')
    expect(state({}, [[2], [1]])).toBe('OK')
    expect(state({ DatapointsToAlarm: 1 }, [[2], [1]])).toBe('ALARM')
    expect(state({ TreatMissingData: 'breaching' }, [[2], []])).toBe('ALARM')
    // the last measurements go on for a while
    expect(state({}, [[2], [2], [], []])).toBe('ALARM')
    expect(state({}, [[2], [2], [], [], []])).toBe('OK')
    expect(state({ ComparisonOperator: 'LessThanThreshold' }, [[1], [1]])).toBe('ALARM')
    expect(
      state({ Statistic: 'Minimum' }, [
        [9, 2],
        [2, 3],
      ]),
    ).toBe('ALARM')
    expect(state({ Statistic: 'Maximum' }, [[1], [1]])).toBe('OK')
    expect(() => state({ Statistic: 'Average' }, [[1]])).toThrow('statistic Average')
    expect(() => state({ ComparisonOperator: 'GreaterThanUpperThreshold' }, [[1]])).toThrow('comparison')
    expect(() => state({ TreatMissingData: 'missing' }, [])).toThrow('no state without data')
  })

  it('of metric math refuses what it does not know', () => {
    const run = (expression: string, a: (number | undefined)[] = [4, undefined]) =>
      evaluateExpression(expression, { series: () => a, quota: () => 8 })
    expect(run('100 * a / SERVICE_QUOTA(a)')).toEqual([50, undefined])
    expect(run('(a + 2) * 3 - 1')).toEqual([17, undefined])
    expect(run('FILL(a, 7)')).toEqual([4, 7])
    expect(run('FILL(a, 7)', [undefined])).toEqual([undefined])
    expect(() => run('FILL(a, 7')).toThrow(') expected')
    expect(() => run('RATE(a)')).toThrow('function RATE')
    for (const wrong of ['a ^ 2', '3', 'a a']) expect(() => run(wrong)).toThrow('no series')
    expect(() => run('')).toThrow('more expected')
  })
})
