import { Duration, Stack, TimeZone } from 'aws-cdk-lib'
import { PolicyStatement, ServicePrincipal, type Role } from 'aws-cdk-lib/aws-iam'
import type { IFunction } from 'aws-cdk-lib/aws-lambda'
import { Schedule, ScheduleExpression, TimeWindow } from 'aws-cdk-lib/aws-scheduler'
import { LambdaInvoke } from 'aws-cdk-lib/aws-scheduler-targets'
import type { IQueue } from 'aws-cdk-lib/aws-sqs'
import type { Construct } from 'constructs'
import { OwnRole } from './own-role.ts'

interface ScheduledProps {
  readonly description: string
  readonly roleDescription: string
  readonly target: IFunction
}

interface DailyScheduleProps extends ScheduledProps {
  /** UTC */
  readonly hour: number
  readonly minute: number
  /** gets events that could not be started; without one, the next day makes up for it */
  readonly deadLetterQueue?: IQueue
}

/** Starts a function once a day, with a role that can start nothing else. A failed start is retried for six hours. */
export const addDailySchedule = (
  scope: Construct,
  id: string,
  { hour, minute, ...props }: DailyScheduleProps,
): void =>
  addSchedule(scope, id, {
    ...props,
    schedule: ScheduleExpression.cron({
      minute: String(minute),
      hour: String(hour),
      timeZone: TimeZone.ETC_UTC,
    }),
    retryAttempts: 3,
    maxEventAge: Duration.hours(6),
  })

/** Starts a function once an hour, within a quarter of it. A failed start is retried until the next one. */
export const addHourlySchedule = (
  scope: Construct,
  id: string,
  { minute, ...props }: Omit<DailyScheduleProps, 'hour'>,
): void =>
  addSchedule(scope, id, {
    ...props,
    schedule: ScheduleExpression.cron({ minute: String(minute), hour: '*', timeZone: TimeZone.ETC_UTC }),
    // deployments do not all call the same providers in the same minute
    timeWindow: TimeWindow.flexible(Duration.minutes(15)),
    retryAttempts: 3,
    maxEventAge: Duration.hours(1),
  })

/** Starts a function each minute. A start that failed is not repeated: the next minute makes up for it. */
export const addMinuteSchedule = (scope: Construct, id: string, props: ScheduledProps): void =>
  addSchedule(scope, id, {
    ...props,
    schedule: ScheduleExpression.rate(Duration.minutes(1)),
    retryAttempts: 0,
    maxEventAge: Duration.minutes(1),
  })

function addSchedule(
  scope: Construct,
  id: string,
  {
    description,
    roleDescription,
    schedule: expression,
    timeWindow,
    target,
    deadLetterQueue,
    retryAttempts,
    maxEventAge,
  }: ScheduledProps &
    Pick<DailyScheduleProps, 'deadLetterQueue'> & {
      timeWindow?: TimeWindow
      schedule: ScheduleExpression
      retryAttempts: number
      maxEventAge: Duration
    },
): void {
  const role = addSchedulerRole(scope, `${id}Role`, {
    description: roleDescription,
    permissions: [
      ['lambda:InvokeFunction', target.functionArn],
      ...(deadLetterQueue ? [['sqs:SendMessage', deadLetterQueue.queueArn] as const] : []),
    ],
  })
  const schedule = new Schedule(scope, id, {
    description,
    schedule: expression,
    ...(timeWindow && { timeWindow }),
    target: new LambdaInvoke(target, {
      retryAttempts,
      maxEventAge,
      ...(deadLetterQueue && { deadLetterQueue }),
      // the CDK would also allow every version of the function
      role: role.withoutPolicyUpdates(),
    }),
  })
  // the scheduler rejects a role that lacks its permissions
  schedule.node.addDependency(role)
}

/** The role of a schedule, which only schedules of this account may assume. */
function addSchedulerRole(
  scope: Construct,
  id: string,
  {
    description,
    permissions,
  }: { description: string; permissions: readonly (readonly [action: string, arn: string])[] },
): Role {
  const { account } = Stack.of(scope)
  const scheduleGroup = Stack.of(scope).formatArn({
    service: 'scheduler',
    resource: 'schedule-group',
    resourceName: 'default',
  })
  const role = new OwnRole(scope, id, {
    assumedBy: new ServicePrincipal('scheduler.amazonaws.com', {
      conditions: { StringEquals: { 'aws:SourceAccount': account, 'aws:SourceArn': scheduleGroup } },
    }),
    description,
  })
  for (const [action, resource] of permissions)
    role.addToPolicy(new PolicyStatement({ actions: [action], resources: [resource] }))
  return role
}
