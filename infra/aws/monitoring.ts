import { Aws, Duration } from 'aws-cdk-lib'
import type { RestApi } from 'aws-cdk-lib/aws-apigateway'
import {
  Alarm,
  AlarmStatusWidget,
  ComparisonOperator,
  Dashboard,
  GraphWidget,
  MathExpression,
  Metric,
  TextWidget,
  TreatMissingData,
  type IMetric,
  type IWidget,
} from 'aws-cdk-lib/aws-cloudwatch'
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions'
import type { Table } from 'aws-cdk-lib/aws-dynamodb'
import { Function } from 'aws-cdk-lib/aws-lambda'
import type { Topic } from 'aws-cdk-lib/aws-sns'
import type { Queue } from 'aws-cdk-lib/aws-sqs'
import { Construct } from 'constructs'
import { registryHealthyMs } from '#shared/limits.ts'
import type { MetricName } from '#shared/metrics.ts'
import { addAlarmTopic, describeAlarm } from './alarm-topic.ts'
import type { ApiFunction } from './api-function.ts'
import type { Config } from './config.ts'

export interface MonitoringProps {
  readonly config: Pick<Config, 'prefix' | 'brandName' | 'alarmEmail' | 'chatConcurrency'>
  readonly api: RestApi
  /** by their ids in the template; `Chat` is the one that replies */
  readonly functions: Readonly<Record<string, ApiFunction>>
  readonly table: Table
  readonly failedEvents: Queue
}

/** From so many seconds after their minute on, scheduled runs are late. */
const latenessSeconds = 300

interface AlarmDefinition {
  /** the effect on users, for the e-mail */
  readonly effect: string
  readonly metric: IMetric
  /** from this value on */
  readonly threshold: number
  /** number of consecutive periods; by default one */
  readonly periods?: number
  readonly missing?: TreatMissingData
}

/**
 * One dashboard, and an alarm for everything that needs an operator. Each alarm has a runbook under its own name in
 * docs/alarms.md. Rejected requests (4xx, limits) raise no alarm: any caller can cause them.
 */
export class Monitoring extends Construct {
  /** the chat function crashes */
  readonly chatErrors: Alarm
  readonly #props: MonitoringProps

  constructor(scope: Construct, id: string, props: MonitoringProps) {
    super(scope, id)
    this.#props = props
    const alarms = this.#addAlarms(addAlarmTopic(this, props.config))
    this.chatErrors = this.node.findChild('ChatErrors') as Alarm
    new Dashboard(this, 'Dashboard', {
      // dashboards have global names, and a stage may be deployed in two regions
      dashboardName: `${props.config.prefix}-${Aws.REGION}`,
      defaultInterval: Duration.days(1),
      widgets: this.#widgets(alarms),
    })
  }

  /** Each metric behind an alarm costs $0.10 a month (the first ten in an account are free), so related failures share an alarm. */
  #addAlarms(topic: Topic): Alarm[] {
    const { api, table, failedEvents, config } = this.#props
    const chat = this.#chat()
    const definitions: Readonly<Record<string, AlarmDefinition>> = {
      ChatErrors: {
        effect: 'Replies are interrupted: the chat function crashed or was stopped from outside.',
        metric: chat.metricErrors(),
        threshold: 1,
      },
      ChatThrottles: {
        effect: 'Messages are rejected: no more replies may run at the same time.',
        metric: chat.metricThrottles(),
        threshold: 1,
      },
      ServerErrors: {
        effect: 'The API fails with internal errors (5xx).',
        metric: api.metricServerError({ statistic: 'Sum' }),
        threshold: 3,
      },
      FailedReplies: {
        effect: 'Users get an error instead of a reply.',
        metric: this.#productMetric('FailedReplies', { statistic: 'Sum', minutes: 15 }),
        threshold: 5,
      },
      SiteBudgetNear: {
        effect:
          'Soon nobody gets replies until midnight (UTC): 80 % of the daily budget for all users is used.',
        metric: this.#productMetric('SiteBudgetUsed', { statistic: 'Maximum', minutes: 15 }),
        threshold: 80,
      },
      SlowFirstToken: {
        effect: 'Half of all messages wait more than ten seconds for the first word.',
        metric: this.#productMetric('TimeToFirstToken', { statistic: 'p50', minutes: 15 }),
        threshold: 10_000,
        periods: 2,
      },
      FailedRefreshes: {
        effect: 'Connections of users stop working: their tokens are not refreshed.',
        metric: this.#productMetric('FailedRefreshes', { statistic: 'Sum', minutes: 60 }),
        threshold: 10,
      },
      RefreshBacklog: {
        effect:
          'Idle connections of users may stop working: for six hours their refresh has not come to its end.',
        metric: this.#productMetric('UnfinishedRefreshes', { statistic: 'Minimum', minutes: 60 }),
        threshold: 1,
        periods: 6,
      },
      SignInsFail: {
        effect: 'Some or all people cannot sign in or up: the triggers of the user pool fail.',
        metric: this.#productMetric('FailedTriggers', { statistic: 'Sum', minutes: 5 }),
        threshold: 3,
      },
      RegistryStale: {
        effect: 'The catalogue is getting stale: no sync has succeeded for two days.',
        metric: this.#productMetric('RegistryAge', { statistic: 'Maximum', minutes: 60 }),
        threshold: registryHealthyMs / 1_000,
        // reported only while users read the catalogue; without readers there is no data
        missing: TreatMissingData.IGNORE,
      },
      SchedulesLate: {
        effect:
          'What people have scheduled begins late or not at all: the dispatcher is behind or does not run, or more runs are due than may run at the same time.',
        metric: this.#scheduleLag(),
        threshold: latenessSeconds,
        periods: 2,
        // nothing is left to fill: the dispatcher has never run, or has ended long ago. While administrators have stopped all schedules it runs
        missing: TreatMissingData.BREACHING,
      },
      FailedEventsWaiting: {
        effect:
          'Something was given up after its retries: a daily or hourly job, the reading of a document, a notification or a scheduled run.',
        metric: failedEvents.metricApproximateNumberOfMessagesVisible({ statistic: 'Maximum' }),
        threshold: 1,
      },
      TableThrottles: {
        effect: 'Everything is slow or fails: the table rejects writes.',
        // a partition supports a third as many writes as reads, and each counted call writes: reads are never throttled without writes
        metric: table.metric('WriteThrottleEvents', { statistic: 'Sum' }),
        threshold: 10,
      },
      ConcurrencyNearLimit: {
        effect:
          'Soon calls are rejected: the functions of this account and region are close to their concurrency limit.',
        metric: this.#concurrencyPercent(),
        threshold: 80,
        periods: 3,
      },
    }
    return Object.entries(definitions).map(([name, { effect, metric, threshold, periods = 1, missing }]) => {
      const alarm = new Alarm(this, name, {
        alarmName: `${config.prefix}-${name}`,
        alarmDescription: describeAlarm(name, effect),
        metric,
        threshold,
        comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
        evaluationPeriods: periods,
        // no data without users
        treatMissingData: missing ?? TreatMissingData.NOT_BREACHING,
      })
      const notify = new SnsAction(topic)
      alarm.addAlarmAction(notify)
      alarm.addOkAction(notify)
      return alarm
    })
  }

  /** At most 50 metrics: three dashboards of that size are free. */
  #widgets(alarms: Alarm[]): IWidget[][] {
    const { api, functions, table, config } = this.#props
    const productMetric = (name: MetricName, statistic: string, label: string = statistic) =>
      this.#productMetric(name, { statistic, label, minutes: 5 })
    /** outcomes are measured as 0 or 1: the sum is the number of failures, the sample count that of attempts */
    const attemptsGraph = (name: MetricName, title: string) =>
      graph(title, [productMetric(name, 'SampleCount', 'attempts'), productMetric(name, 'Sum', 'failed')])
    const sum = { statistic: 'Sum' }
    return [
      [
        new TextWidget({
          width: 24,
          height: 2,
          markdown: `# ${config.brandName} (${config.prefix})\nEach alarm has its runbook in docs/alarms.md.`,
        }),
      ],
      [new AlarmStatusWidget({ title: 'Alarms', width: 24, height: 4, alarms })],
      [
        graph(
          'Time to the first token',
          ['p50', 'p99'].map((statistic) => productMetric('TimeToFirstToken', statistic)),
        ),
        graph('Replies', [
          productMetric('FailedReplies', 'SampleCount', 'attempts'),
          productMetric('FailedReplies', 'Sum', 'failed'),
          productMetric('ReducedRequests', 'Sum', 'sent without what the model server rejects'),
        ]),
        graph(
          'Tokens, and the share of the daily budget for all users in %',
          [productMetric('InputTokens', 'Sum', 'read'), productMetric('OutputTokens', 'Sum', 'written')],
          [productMetric('SiteBudgetUsed', 'Maximum', '% of the daily budget')],
        ),
      ],
      [
        graph('Scheduled runs: seconds after their minute', [productMetric('ScheduleLag', 'Maximum')]),
        attemptsGraph('FailedToolCalls', 'Tool calls'),
        attemptsGraph('FailedRefreshes', 'Token refreshes'),
        graph('Document text extraction', [
          productMetric('FailedReadings', 'Sum', 'failed'),
          productMetric('PlainPages', 'Sum', 'pages of PDFs without their layout'),
        ]),
      ],
      [
        graph('Responses of the functions', [
          productMetric('ClientErrors', 'Sum', 'rejected (4xx)'),
          productMetric('ThrottledCalls', 'Sum', "throttled by a user's limit (429)"),
          productMetric('ServerErrors', 'Sum', 'failed (5xx)'),
        ]),
        graph('Responses of API Gateway', [
          api.metricCount({ ...sum, label: 'all' }),
          api.metricServerError({ ...sum, label: '5xx' }),
        ]),
        graph('Throttled writes of the table', [
          table.metric('WriteThrottleEvents', { ...sum, label: 'writes' }),
        ]),
      ],
      [
        graph(
          'Crashes of functions',
          Object.entries(functions).map(([label, fn]) => fn.metricErrors({ label })),
        ),
        graph(
          'Concurrent functions, in % of the quota, and rejected messages',
          [this.#concurrencyPercent()],
          [this.#chat().metricThrottles({ label: 'rejected' })],
        ),
        graph(
          'Registry and models',
          [productMetric('RegistryAge', 'Maximum', 'age in seconds')],
          [
            productMetric('UnfinishedRefreshes', 'Sum', 'refreshes that ran out of time'),
            productMetric('FailedTriggers', 'Sum', 'sign-ins that failed without a refusal'),
            productMetric('FailedSyncs', 'Sum', 'failed syncs'),
            productMetric('ModelsEndingSoon', 'Maximum', 'models that are shut down soon'),
          ],
        ),
      ],
    ]
  }

  /**
   * The dispatcher measures it each minute, so five minutes without it are as late as any. `FILL` fills only what lies beside something that
   * was measured; without any measurement the alarm's own treatment of missing data applies. Left to that alone, an alarm would go on with the
   * last measurements for some periods.
   * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/using-metric-math.html
   */
  #scheduleLag(): MathExpression {
    return new MathExpression({
      expression: `FILL(lag, ${latenessSeconds})`,
      label: 'seconds after their minute',
      usingMetrics: { lag: this.#productMetric('ScheduleLag', { statistic: 'Maximum', minutes: 5 }) },
      period: Duration.minutes(5),
    })
  }

  #chat(): ApiFunction {
    const { Chat } = this.#props.functions
    if (!Chat) throw new Error('`functions` has no entry `Chat`')
    return Chat
  }

  /** The functions' own metrics. The name is checked against those that they write. */
  #productMetric(
    metricName: MetricName,
    { statistic, minutes, label }: { statistic: string; minutes: number; label?: string },
  ): Metric {
    return new Metric({
      namespace: this.#props.config.prefix,
      metricName,
      statistic,
      period: Duration.minutes(minutes),
      ...(label !== undefined && { label }),
    })
  }

  /**
   * CloudWatch reads the account's quota itself, so it is still right after it was raised. The chat function's reservation is
   * unavailable to others, used or not: `ClaimedAccountConcurrency` counts it. Without a reservation there is one metric less to pay for.
   * @see https://docs.aws.amazon.com/lambda/latest/dg/monitoring-concurrency.html
   */
  #concurrencyPercent(): MathExpression {
    const running = Function.metricAllConcurrentExecutions({ statistic: 'Maximum' })
    const claimed = Function.metricAll('ClaimedAccountConcurrency', { statistic: 'Maximum' })
    const isReserved = this.#props.config.chatConcurrency !== undefined
    return new MathExpression({
      expression: `100 * ${isReserved ? 'claimed' : 'running'} / SERVICE_QUOTA(running)`,
      label: '% of the quota',
      usingMetrics: { running, ...(isReserved && { claimed }) },
      period: Duration.minutes(1),
    })
  }
}

const graph = (title: string, left: IMetric[], right: IMetric[] = []) =>
  new GraphWidget({ title, width: 8, height: 6, left, right, leftYAxis: { min: 0 }, rightYAxis: { min: 0 } })
