import { GetAccountSettingsCommand, LambdaClient } from '@aws-sdk/client-lambda'
import { ok, warning, type Finding } from './finding.ts'
import { clientOptions } from './identity.ts'
import { isCreated, type DoctorInput } from './stacks.ts'

/** New accounts start with ten, which AWS raises gradually: https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html */
const concurrencyOfNewAccounts = 10

/**
 * Checks whether CloudFront may refuse the distribution, which the last stack creates. No API tells; a concurrency limit that
 * was never raised is the best sign of a new account.
 */
export async function checkCloudFront({ config, region, stacks }: DoctorInput): Promise<Finding[]> {
  const deployedStacks = await stacks
  if (deployedStacks.some((one) => one.name === `${config.prefix}-web` && isCreated(one)))
    return [ok('the distribution is there.')]
  const lambda = new LambdaClient(clientOptions(region))
  try {
    const { AccountLimit } = await lambda.send(new GetAccountSettingsCommand({}))
    if ((AccountLimit?.ConcurrentExecutions ?? 0) > concurrencyOfNewAccounts)
      return [
        ok(
          'this does not look like a new account, to which CloudFront is closed until AWS Support has verified it.',
        ),
      ]
    return [
      warning(
        'this looks like a new account. AWS may refuse its first distribution ("Your account must be verified") until Support has verified it, which takes hours or days; the last stack fails until then.',
        'Before the deployment: open a case (Account and billing, free of charge) at https://console.aws.amazon.com/support/home and ask for CloudFront. Continue if it does not refuse.',
      ),
    ]
  } finally {
    lambda.destroy()
  }
}

/** Checks whether anybody receives alarms. A topic can have other subscribers, so this is no warning. */
export async function checkAlarms({ config }: DoctorInput): Promise<Finding[]> {
  if (!config.monitoring) return [ok('none (monitoring=off).')]
  if (config.alarmEmail) return [ok(`to ${config.alarmEmail}.`)]
  return [
    {
      ...ok('nobody receives them, unless something else subscribes to their topic.'),
      next: '-c alarmEmail=you@example.org, or -c monitoring=off to save what they cost',
    },
  ]
}
