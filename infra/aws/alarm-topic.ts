import { Aws, CfnOutput } from 'aws-cdk-lib'
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import { Topic } from 'aws-cdk-lib/aws-sns'
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions'
import type { Construct } from 'constructs'
import type { Config } from './config.ts'

/** @param effect on users, a sentence @returns the alarm's description, with a link to its runbook */
export const describeAlarm = (name: string, effect: string) =>
  `${effect} What to do: docs/alarms.md#${name.toLowerCase()}`

/**
 * Adds the topic that the alarms of a region publish to, and the operator's subscription.
 *
 * Without its own encryption: CloudWatch cannot publish under SNS's AWS-managed key, a key of our own costs more than the rest of
 * the stage, and a message contains an alarm's name and a number, and no personal data.
 */
export function addAlarmTopic(
  scope: Construct,
  { brandName, prefix, alarmEmail }: Pick<Config, 'brandName' | 'prefix' | 'alarmEmail'>,
): Topic {
  const topic = new Topic(scope, 'Alarms', {
    displayName: `${brandName} ${prefix}`.slice(0, 100),
    enforceSSL: true,
  })
  // an explicit policy replaces the default one, which would admit everything in the account, including its alarms
  topic.addToResourcePolicy(
    new PolicyStatement({
      sid: 'PublishAlarms',
      principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
      actions: ['sns:Publish'],
      resources: [topic.topicArn],
      conditions: {
        StringEquals: { 'aws:SourceAccount': Aws.ACCOUNT_ID },
        ArnLike: {
          'aws:SourceArn': `arn:${Aws.PARTITION}:cloudwatch:${Aws.REGION}:${Aws.ACCOUNT_ID}:alarm:${prefix}-*`,
        },
      },
    }),
  )
  if (alarmEmail) topic.addSubscription(new EmailSubscription(alarmEmail))
  new CfnOutput(scope, 'AlarmTopic', { value: topic.topicArn })
  return topic
}
