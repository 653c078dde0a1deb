import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { metricUnits } from '#shared/metrics.ts'
import { variants, configurations } from './configurations.ts'
import { synthesise, type Synthesised } from './synthesised.ts'

const app = synthesise()
const root = fileURLToPath(new URL('../..', import.meta.url))

interface AlarmProperties {
  readonly AlarmName: string
  readonly AlarmDescription: string
  readonly AlarmActions?: readonly string[]
  readonly OKActions?: readonly string[]
  readonly TreatMissingData?: string
  readonly Namespace?: string
  readonly MetricName?: string
  readonly Dimensions?: readonly { Name: string; Value: string }[]
  readonly Metrics?: readonly {
    Expression?: string
    MetricStat?: { Metric: { Namespace: string; MetricName: string; Dimensions?: unknown } }
  }[]
}

const listAlarms = ({ resources }: Synthesised) =>
  resources('api', 'AWS::CloudWatch::Alarm').map(({ Properties }) => Properties as unknown as AlarmProperties)
const alarms = listAlarms(app)
/** Of the stack in us-east-1. */
const outsideAlarm = synthesise(variants['a check from outside']).only('edge', 'AWS::CloudWatch::Alarm')
  .Properties as unknown as AlarmProperties
const findAlarm = (name: string) => {
  const found = alarms.find(({ AlarmName }) => AlarmName === `juno-dev-${name}`)
  if (!found) throw new Error(`no alarm ${name}`)
  return found
}

/** Every metric that an alarm watches, directly or in an expression. */
const listWatchedMetrics = ({ Namespace, MetricName, Metrics = [] }: AlarmProperties) =>
  MetricName === undefined
    ? Metrics.flatMap(({ MetricStat }) => (MetricStat ? [MetricStat.Metric] : []))
    : [{ Namespace: Namespace ?? '', MetricName }]

/** The lines of the dashboard's graphs: namespace, name and dimensions. */
function listDashboardMetrics(synthesised: Synthesised) {
  const { DashboardBody } = synthesised.only('api', 'AWS::CloudWatch::Dashboard').Properties
  const { widgets } = JSON.parse(String(DashboardBody)) as {
    widgets: { type: string; properties: { metrics?: unknown[][]; alarms?: string[]; markdown?: string } }[]
  }
  const lines = widgets.flatMap(({ properties }) => properties.metrics ?? [])
  return {
    widgets,
    metrics: lines.flatMap(([namespace, name, ...rest]) =>
      typeof namespace === 'string' ? [{ namespace, name: String(name), rest }] : [],
    ),
  }
}

const runbooks = readFileSync(`${root}/docs/alarms.md`, 'utf8')
const operations = readFileSync(`${root}/docs/operations.md`, 'utf8')
/** Queries of Logs Insights, anywhere in the documents. */
const queries = [...`${runbooks}\n${operations}`.matchAll(/^```sql\n([\s\S]*?)^```$/gm)].map(
  ([, query]) => query ?? '',
)
const headings = [...runbooks.matchAll(/^## (\w+)$/gm)].map(([, heading]) => heading ?? '')

describe('alarms', () => {
  it('notify one topic at their start and end', () => {
    expect(alarms.length).toBeGreaterThan(5)
    for (const { AlarmName, AlarmActions, OKActions } of alarms)
      expect([AlarmName, AlarmActions, OKActions]).toEqual([
        AlarmName,
        ['api/MonitoringAlarms'],
        ['api/MonitoringAlarms'],
      ])
  })

  it('count missing data as good, except that the list’s age keeps its state, and a dispatcher that never ran is late', () => {
    const missingDataByAlarm = Object.fromEntries(
      alarms.map(({ AlarmName, TreatMissingData }) => [AlarmName, TreatMissingData]),
    )
    const { 'juno-dev-RegistryStale': stale, 'juno-dev-SchedulesLate': late, ...others } = missingDataByAlarm
    expect([stale, late]).toEqual(['ignore', 'breaching'])
    expect(new Set(Object.values(others))).toEqual(new Set(['notBreaching']))
  })

  it('have a runbook each, which their description links to, and every runbook has its alarm', () => {
    const described = [...alarms, outsideAlarm]
    const names = described.map(({ AlarmName }) => AlarmName.replace('juno-dev-', ''))
    expect(headings.toSorted()).toEqual(names.toSorted())
    for (const [index, { AlarmDescription }] of described.entries())
      expect(AlarmDescription).toMatch(
        new RegExp(`^[A-Z].*\\. What to do: docs/alarms\\.md#${names[index]?.toLowerCase()}$`),
      )
  })

  it('SignInsFail sends the reader to every trigger that counts its failures', () => {
    const runbook = /^## SignInsFail$([^]*?)^## /m.exec(runbooks)?.[1] ?? ''
    const { LambdaConfig } = synthesise(configurations.full).only('auth', 'AWS::Cognito::UserPool').Properties
    // `auth/PreSignUp.Arn`
    const triggers = JSON.stringify(LambdaConfig).matchAll(/"auth\/(\w+)\.Arn"/g)
    const names = [...triggers].map(([, name = '']) => name)
    expect(names).toHaveLength(5)
    for (const name of names) expect(runbook).toContain(`\`${name}\``)
  })

  it('and dashboards of two stages and of two regions have different names', () => {
    const firstStage = synthesise(configurations['first of two stages'])
    const names = [...alarms, ...listAlarms(firstStage)].map(({ AlarmName }) => AlarmName)
    expect(new Set(names).size).toBe(names.length)
    expect(firstStage.only('api', 'AWS::CloudWatch::Dashboard').Properties['DashboardName']).toBe(
      'juno-first-<Region>',
    )
  })

  it.each([
    ['ChatErrors', 'AWS/Lambda', 'Errors', [{ Name: 'FunctionName', Value: 'api/Chat' }], 1],
    ['ChatThrottles', 'AWS/Lambda', 'Throttles', [{ Name: 'FunctionName', Value: 'api/Chat' }], 1],
    ['ServerErrors', 'AWS/ApiGateway', '5XXError', [{ Name: 'ApiName', Value: 'juno-dev' }], 3],
    [
      'FailedEventsWaiting',
      'AWS/SQS',
      'ApproximateNumberOfMessagesVisible',
      [{ Name: 'QueueName', Value: 'api/FailedEvents.QueueName' }],
      1,
    ],
    ['SiteBudgetNear', 'juno-dev', 'SiteBudgetUsed', undefined, 80],
    ['FailedReplies', 'juno-dev', 'FailedReplies', undefined, 5],
    ['SlowFirstToken', 'juno-dev', 'TimeToFirstToken', undefined, 10_000],
    ['FailedRefreshes', 'juno-dev', 'FailedRefreshes', undefined, 10],
    ['RefreshBacklog', 'juno-dev', 'UnfinishedRefreshes', undefined, 1],
    ['SignInsFail', 'juno-dev', 'FailedTriggers', undefined, 3],
    ['RegistryStale', 'juno-dev', 'RegistryAge', undefined, 172_800],
  ])('%s watches %s %s', (name, Namespace, MetricName, Dimensions, Threshold) => {
    const { Dimensions: dimensions, ...properties } = findAlarm(name)
    expect(properties).toMatchObject({
      Namespace,
      MetricName,
      Threshold,
      ComparisonOperator: 'GreaterThanOrEqualToThreshold',
    })
    expect(dimensions).toEqual(Dimensions)
  })

  it('watch the table for refused requests, and the account for remaining concurrency', () => {
    const tableMetric = (MetricName: string) => ({
      Namespace: 'AWS/DynamoDB',
      MetricName,
      Dimensions: [{ Name: 'TableName', Value: 'data/Table' }],
    })
    expect(findAlarm('TableThrottles')).toMatchObject(tableMetric('WriteThrottleEvents'))
    expect(findAlarm('ConcurrencyNearLimit')).toMatchObject({ Threshold: 80, EvaluationPeriods: 3 })
    expect(findAlarm('ConcurrencyNearLimit').Metrics?.map(({ Expression }) => Expression)).toContain(
      '100 * running / SERVICE_QUOTA(running)',
    )
    expect(listWatchedMetrics(findAlarm('ConcurrencyNearLimit'))).toEqual([
      { Namespace: 'AWS/Lambda', MetricName: 'ConcurrentExecutions' },
    ])
    const alarmWithReservation = listAlarms(synthesise(configurations.full)).find(({ AlarmName }) =>
      AlarmName.endsWith('ConcurrencyNearLimit'),
    )
    expect(alarmWithReservation?.Metrics?.map(({ Expression }) => Expression)).toContain(
      '100 * claimed / SERVICE_QUOTA(running)',
    )
  })

  it('count minutes in which the dispatcher of schedules does not run as late, also if it never ran', () => {
    const alarm = findAlarm('SchedulesLate')
    expect(alarm).toMatchObject({
      Threshold: 300,
      EvaluationPeriods: 2,
      ComparisonOperator: 'GreaterThanOrEqualToThreshold',
      TreatMissingData: 'breaching',
    })
    expect(alarm.Metrics?.flatMap(({ Expression }) => Expression ?? [])).toEqual(['FILL(lag, 300)'])
    expect(listWatchedMetrics(alarm)).toEqual([{ Namespace: 'juno-dev', MetricName: 'ScheduleLag' }])
  })

  it('leave out Lambda’s own errors of the triggers, which refuse by throwing', () => {
    const texts = JSON.stringify([alarms, listDashboardMetrics(app).widgets])
    expect(texts).toContain('api/Chat')
    expect(texts).not.toMatch(/PreSignUp|CustomMessage|PreTokenGeneration|PostConfirmation/)
  })

  it('cost no more than the budget of an idle stage allows: fourteen metrics', () => {
    expect(alarms.flatMap(listWatchedMetrics).length).toBeLessThanOrEqual(14)
  })
})

describe('queries of the runbooks', () => {
  const keywords =
    /^(fields|filter|stats|sort|by|as|and|or|in|like|desc|asc|count|pct|max|avg|bin|ispresent|m)$/
  const lambdaFields = [
    'type',
    'level',
    'errorType',
    'errorMessage',
    'record.status',
    'record.requestId',
    'record.metrics.durationMs',
    'record.metrics.maxMemoryUsedMB',
  ]
  const errorFields = ['name', 'message', 'code', 'status'].flatMap((field) => [
    `error.${field}`,
    `error.cause.${field}`,
  ])
  const gatewayFormat = /\.custom\(\s*JSON\.stringify\(\{([^}]*)\}/.exec(
    readFileSync(`${root}/infra/aws/rest-api.ts`, 'utf8'),
  )?.[1]
  const loggerSource = readFileSync(`${root}/functions/platform/telemetry/logger.ts`, 'utf8')
  const metricsSource = readFileSync(`${root}/functions/platform/telemetry/metrics.ts`, 'utf8')
  const knownFields = new Set([
    ...lambdaFields,
    ...errorFields,
    'message',
    ...Object.keys(metricUnits),
    ...[...(gatewayFormat ?? '').matchAll(/^ *(\w+):/gm)].map(([, name]) => name),
    ...[...`${loggerSource}${metricsSource}`.matchAll(/^ {2}'(\w+)',$|'(\w+)'(?=[,\]])/gm)].map(
      ([, a, b]) => a ?? b,
    ),
  ])

  /** Names in a query that are neither keywords, nor texts, nor defined in the query. */
  const findUnknownFields = (query: string) => {
    const columns = [...query.matchAll(/ as (\w+)/g)].map(([, name]) => name)
    const identifiers =
      query.replaceAll(/"[^"]*"|\/[^/]*\/|@\w+|\b\d+m?\b/g, ' ').match(/[A-Za-z][\w.]*/g) ?? []
    return identifiers.filter(
      (name) => !keywords.test(name) && !knownFields.has(name) && !columns.includes(name),
    )
  }

  it('name only fields that log lines have', () => {
    expect(findUnknownFields('filter nobodyLogsThis = 1 | stats count(*) as n by route')).toEqual([
      'nobodyLogsThis',
    ])
    expect(queries.length).toBeGreaterThan(8)
    expect(queries.flatMap(findUnknownFields)).toEqual([])
  })

  it('search for messages that the functions write', () => {
    const messages = queries.flatMap((query) =>
      [...query.matchAll(/message (?:= "([^"]+)"|in \[([^\]]+)\])/g)].flatMap(([, one, several]) =>
        one === undefined ? [...(several ?? '').matchAll(/"([^"]+)"/g)].map(([, each]) => each) : [one],
      ),
    )
    const sources = globSync('functions/**/*.ts', { cwd: root, exclude: ['**/*.test.ts'] })
      .map((path) => readFileSync(`${root}/${path}`, 'utf8'))
      .join()
    expect(messages.length).toBeGreaterThan(3)
    expect(messages.filter((message) => !sources.includes(`'${message}'`))).toEqual([])
  })
})

describe('the topic of the alarms', () => {
  it('accepts messages from alarms of this stage only, over TLS', () => {
    const { PolicyDocument } = app.only('api', 'AWS::SNS::TopicPolicy').Properties
    expect((PolicyDocument as { Statement: unknown }).Statement).toEqual([
      {
        Sid: 'AllowPublishThroughSSLOnly',
        Effect: 'Deny',
        Principal: '*',
        Action: 'sns:Publish',
        Resource: 'api/MonitoringAlarms',
        Condition: { Bool: { 'aws:SecureTransport': 'false' } },
      },
      {
        Sid: 'PublishAlarms',
        Effect: 'Allow',
        Principal: { Service: 'cloudwatch.amazonaws.com' },
        Action: 'sns:Publish',
        Resource: 'api/MonitoringAlarms',
        Condition: {
          StringEquals: { 'aws:SourceAccount': '<AccountId>' },
          ArnLike: { 'aws:SourceArn': 'arn:<Partition>:cloudwatch:<Region>:<AccountId>:alarm:juno-dev-*' },
        },
      },
    ])
  })

  it('is not under a key that CloudWatch may not use', () => {
    expect(app.only('api', 'AWS::SNS::Topic').Properties).not.toHaveProperty('KmsMasterKeyId')
  })

  it('mails the configured address, and can be subscribed to by hand without one', () => {
    expect(app.resources('api', 'AWS::SNS::Subscription')).toEqual([])
    expect(Object.values(app.outputs('api'))).toContain('api/MonitoringAlarms')
    const withAlarmEmail = synthesise(configurations.full)
    expect(withAlarmEmail.only('api', 'AWS::SNS::Subscription').Properties).toEqual({
      Protocol: 'email',
      Endpoint: 'team@example.org',
      TopicArn: 'api/MonitoringAlarms',
    })
  })
})

describe('the product’s own metrics', () => {
  const names = Object.keys(metricUnits)
  const ownNamespace = 'juno-dev'

  it('have the namespace and names that dashboard and alarms read', () => {
    const environments = app
      .resources('api', 'AWS::Lambda::Function')
      .map(({ Properties }) => (Properties['Environment'] as { Variables: Record<string, string> }).Variables)
    expect(new Set(environments.map(({ METRICS_NAMESPACE }) => METRICS_NAMESPACE))).toEqual(
      new Set([ownNamespace]),
    )
    const namespaces = [
      ...alarms.flatMap(listWatchedMetrics).map(({ Namespace }) => Namespace),
      ...listDashboardMetrics(app).metrics.map(({ namespace }) => namespace),
    ]
    expect(namespaces.filter((namespace) => !namespace.startsWith('AWS/'))).toContain(ownNamespace)
    expect(
      namespaces.filter((namespace) => !namespace.startsWith('AWS/') && namespace !== ownNamespace),
    ).toEqual([])
  })

  it('are all on the dashboard, without dimensions, and each one there is measured', () => {
    const ownMetrics = listDashboardMetrics(app).metrics.filter(({ namespace }) => namespace === ownNamespace)
    expect([...new Set(ownMetrics.map(({ name }) => name))].toSorted()).toEqual(names.toSorted())
    for (const { rest } of ownMetrics) expect(rest).toEqual([expect.any(Object)])
    const watchedMetrics = alarms
      .flatMap(listWatchedMetrics)
      .filter(({ Namespace }) => Namespace === ownNamespace)
    expect(watchedMetrics.length).toBeGreaterThan(0)
    expect(watchedMetrics.filter(({ MetricName }) => !names.includes(MetricName))).toEqual([])
  })

  it('are each measured by some function', () => {
    const sources = globSync('functions/**/*.ts', { cwd: root, exclude: ['**/*.test.ts'] })
      .map((path) => readFileSync(`${root}/${path}`, 'utf8'))
      .filter((source) => source.includes("/metrics.ts'"))
    const isMeasured = (name: string) => sources.some((source) => new RegExp(`\\b${name}\\b`).test(source))
    expect(isMeasured('NobodyMeasuresThis')).toBe(false)
    expect(names.filter((name) => !isMeasured(name))).toEqual([])
  })
})

describe('the dashboard', () => {
  it('shows every function’s crashes and every alarm, within the 50 metrics that cost nothing', () => {
    const { widgets, metrics } = listDashboardMetrics(app)
    const functions = app.resources('api', 'AWS::Lambda::Function').map(({ id }) => `api/${id}`)
    const crashes = metrics.filter(({ name }) => name === 'Errors').map(({ rest }) => String(rest[1]))
    expect(crashes.toSorted()).toEqual(functions.toSorted())
    expect(widgets.flatMap(({ properties }) => properties.alarms ?? [])).toHaveLength(alarms.length)
    expect(metrics.length).toBeLessThanOrEqual(50)
  })
})

describe('monitoring=off', () => {
  const withoutMonitoring = synthesise(variants['no monitoring'])

  it('leaves out whatever costs money while idle, and measures nothing; traces and logs remain', () => {
    for (const type of ['CloudWatch::Alarm', 'CloudWatch::Dashboard', 'SNS::Topic'])
      expect(withoutMonitoring.resources('api', `AWS::${type}`)).toEqual([])
    for (const { id, Properties } of withoutMonitoring.resources('api', 'AWS::Lambda::Function')) {
      expect(Properties['Environment']).not.toHaveProperty('Variables.METRICS_NAMESPACE')
      // a trace of each minute would cost, and nobody waits for it
      expect(Properties['TracingConfig']).toEqual(
        id === 'ScheduleDispatcher' ? undefined : { Mode: 'Active' },
      )
    }
  })
})
