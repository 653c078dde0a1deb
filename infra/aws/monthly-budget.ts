import { CfnBudget } from 'aws-cdk-lib/aws-budgets'
import type { Construct } from 'constructs'
import type { Config } from './config.ts'

/** Percent of the budget from which on mails are sent. */
const warnAt = { forecast: 100, spent: [80, 100] } as const

/**
 * Adds a budget of a month, which costs nothing and refuses nothing. It counts the whole account: costs by tag would need the tag to be
 * activated for billing first. AWS bills, and so the mails, are some hours late.
 * @see https://docs.aws.amazon.com/cost-management/latest/userguide/budgets-managing-costs.html
 */
export function addMonthlyBudget(
  scope: Construct,
  { prefix, monthlyBudget, alarmEmail }: Pick<Config, 'prefix' | 'monthlyBudget' | 'alarmEmail'>,
): void {
  const subscribers = alarmEmail ? [{ subscriptionType: 'EMAIL', address: alarmEmail }] : []
  const notifyAt = (notificationType: 'ACTUAL' | 'FORECASTED', threshold: number) => ({
    notification: {
      notificationType,
      comparisonOperator: 'GREATER_THAN',
      threshold,
      thresholdType: 'PERCENTAGE',
    },
    subscribers,
  })
  new CfnBudget(scope, 'MonthlyBudget', {
    budget: {
      budgetName: `${prefix}-monthly`,
      budgetType: 'COST',
      timeUnit: 'MONTHLY',
      budgetLimit: { amount: monthlyBudget ?? 0, unit: 'USD' },
    },
    notificationsWithSubscribers: [
      notifyAt('FORECASTED', warnAt.forecast),
      ...warnAt.spent.map((percent) => notifyAt('ACTUAL', percent)),
    ],
  })
}
