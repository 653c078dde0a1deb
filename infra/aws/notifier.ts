import { Duration } from 'aws-cdk-lib'
import type { Queue } from 'aws-cdk-lib/aws-sqs'
import type { Construct } from 'constructs'
import { ApiFunction } from './api-function.ts'
import { asyncInvoke } from './failed-events.ts'
import { functionDefaults, type FunctionInput } from './function-settings.ts'
import { grantNotifier } from './permissions.ts'

/**
 * Adds the function that tells users about replies, by push and mail. It is apart from the chat: it waits until it is known whether a page
 * is open, and it alone may read addresses and send mails.
 * @param failedEvents gets the replies about which nobody could be told after all retries
 */
export function addNotifier(
  scope: Construct,
  { config, data: { table, sealingKey }, userPool }: FunctionInput,
  failedEvents: Queue,
): ApiFunction {
  const notifier = new ApiFunction(scope, 'Notifier', {
    ...functionDefaults(config),
    entry: 'push/notifier.ts',
    description: 'Tells users that a reply is ready or waits, while no page is open',
    memoryMb: 256,
    timeout: Duration.minutes(2),
    environment: {
      TABLE_NAME: table.tableName,
      USER_POOL_ID: userPool.userPoolId,
      BRAND_NAME: config.brandName,
      SEALING_KEY_SECRET: sealingKey.secretArn,
      MAIL_SENDER: config.ses?.sender,
      OUTBOUND_ALLOW: config.outboundAllow,
    },
  })
  grantNotifier(notifier, { table, userPool, sealingKey, ses: config.ses })
  notifier.configureAsyncInvoke(asyncInvoke(failedEvents))
  return notifier
}
