import { describe, expect, it } from 'vitest'
import { variants } from './configurations.ts'
import { synthesise } from './synthesised.ts'

const app = synthesise()

describe('daily sync', () => {
  it('DEC-078 starts once a day, is retried, and goes to a queue if it cannot start', () => {
    expect(app.named('api', 'AWS::Scheduler::Schedule', 'DailySync').Properties).toEqual({
      Description: 'The daily refresh of the registry',
      ScheduleExpression: 'cron(17 3 * * ? *)',
      ScheduleExpressionTimezone: 'Etc/UTC',
      State: 'ENABLED',
      FlexibleTimeWindow: { Mode: 'OFF' },
      Target: {
        Arn: 'api/RegistrySync.Arn',
        RoleArn: 'api/DailySyncRole.Arn',
        RetryPolicy: { MaximumEventAgeInSeconds: 21_600, MaximumRetryAttempts: 3 },
        DeadLetterConfig: { Arn: 'api/FailedEvents.Arn' },
      },
    })
  })

  it('INFRA-09 is retried if it fails, as the other jobs are, and then goes to the same queue', () => {
    const handedOver = app
      .resources('api', 'AWS::Lambda::EventInvokeConfig')
      .map(({ Properties }) => Properties)
    for (const FunctionName of ['api/RegistrySync', 'api/ModelCheck', 'api/ConnectionRefresh'])
      expect(handedOver).toContainEqual({
        FunctionName,
        Qualifier: '$LATEST',
        MaximumRetryAttempts: 2,
        MaximumEventAgeInSeconds: 3_600,
        DestinationConfig: { OnFailure: { Destination: 'api/FailedEvents.Arn' } },
      })
  })

  it('INFRA-09 the queue stores failures for 14 days, encrypted', () => {
    expect(app.named('api', 'AWS::SQS::Queue', 'FailedEvents').Properties).toMatchObject({
      MessageRetentionPeriod: 1_209_600,
      SqsManagedSseEnabled: true,
    })
  })

  it('INFRA-09 reads GitHub with a token if there is one', () => {
    const withToken = synthesise(variants['secrets and mail'])
    expect(withToken.named('api', 'AWS::Lambda::Function', 'RegistrySync').Properties['Environment']).toEqual(
      {
        Variables: {
          NODE_OPTIONS: '--enable-source-maps',
          METRICS_NAMESPACE: 'juno-dev',
          TABLE_NAME: 'data/Table',
          GITHUB_TOKEN_SECRET: 'team/github',
        },
      },
    )
  })
})

describe('daily check of the models', () => {
  it('starts once a day, is retried if it cannot start, and its function is an output', () => {
    expect(app.named('api', 'AWS::Scheduler::Schedule', 'DailyModelCheck').Properties).toEqual({
      Description: 'The daily check for models that are shut down soon',
      ScheduleExpression: 'cron(47 3 * * ? *)',
      ScheduleExpressionTimezone: 'Etc/UTC',
      State: 'ENABLED',
      FlexibleTimeWindow: { Mode: 'OFF' },
      Target: {
        Arn: 'api/ModelCheck.Arn',
        RoleArn: 'api/DailyModelCheckRole.Arn',
        RetryPolicy: { MaximumEventAgeInSeconds: 21_600, MaximumRetryAttempts: 3 },
        DeadLetterConfig: { Arn: 'api/FailedEvents.Arn' },
      },
    })
    expect(app.outputs('api')).toHaveProperty('ModelCheckFunction')
  })
})

describe('daily refresh of idle connections', () => {
  it('DEC-186 starts each hour, and is retried if it cannot start', () => {
    expect(app.named('api', 'AWS::Scheduler::Schedule', 'DailyConnectionRefresh').Properties).toEqual({
      Description: 'The daily refresh of idle connections',
      ScheduleExpression: 'cron(17 * * * ? *)',
      ScheduleExpressionTimezone: 'Etc/UTC',
      State: 'ENABLED',
      FlexibleTimeWindow: { Mode: 'FLEXIBLE', MaximumWindowInMinutes: 15 },
      Target: {
        Arn: 'api/ConnectionRefresh.Arn',
        RoleArn: 'api/DailyConnectionRefreshRole.Arn',
        RetryPolicy: { MaximumEventAgeInSeconds: 3_600, MaximumRetryAttempts: 3 },
        DeadLetterConfig: { Arn: 'api/FailedEvents.Arn' },
      },
    })
    expect(app.outputs('api')).toHaveProperty('ConnectionRefreshFunction')
  })
})

it('only the schedules of this account’s group may start a job', () => {
  const app = synthesise({})
  const roles = Object.entries(
    app.templates.api.toJSON()['Resources'] as Record<
      string,
      {
        Type: string
        Properties: {
          AssumeRolePolicyDocument: { Statement: { Principal: { Service?: string }; Condition?: unknown }[] }
        }
      }
    >,
  ).flatMap(([id, { Type, Properties }]) =>
    Type === 'AWS::IAM::Role'
      ? Properties.AssumeRolePolicyDocument.Statement.filter(
          ({ Principal }) => Principal.Service === 'scheduler.amazonaws.com',
        ).map(({ Condition }) => [id, Condition] as const)
      : [],
  )
  expect(roles).toHaveLength(4)
  for (const [, condition] of roles)
    expect(condition).toMatchObject({
      StringEquals: {
        'aws:SourceAccount': { Ref: 'AWS::AccountId' },
        'aws:SourceArn': {
          'Fn::Join': ['', expect.arrayContaining([expect.stringContaining(':schedule-group/default')])],
        },
      },
    })
})

it('the dispatcher of schedules starts each minute; runs come from a queue, a bounded number at a time', () => {
  expect(app.named('api', 'AWS::Scheduler::Schedule', 'MinuteDispatch').Properties).toMatchObject({
    ScheduleExpression: 'rate(1 minute)',
    Target: {
      Arn: 'api/ScheduleDispatcher.Arn',
      RetryPolicy: { MaximumEventAgeInSeconds: 60, MaximumRetryAttempts: 0 },
    },
  })
  expect(app.named('api', 'AWS::SQS::Queue', 'ScheduledRuns').Properties).toMatchObject({
    SqsManagedSseEnabled: true,
    VisibilityTimeout: 360,
    RedrivePolicy: { deadLetterTargetArn: 'api/FailedEvents.Arn', maxReceiveCount: 3 },
  })
  expect(app.only('api', 'AWS::Lambda::EventSourceMapping').Properties).toMatchObject({
    BatchSize: 1,
    EventSourceArn: 'api/ScheduledRuns.Arn',
    FunctionName: 'api/ScheduleWorker',
    ScalingConfig: { MaximumConcurrency: 40 },
  })
})
