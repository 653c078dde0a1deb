import { calculateBill, type Line, type PriceName, sumUsd, type Usage } from './bill.ts'
import type { DeployedResources } from './deployed-resources.ts'
import priceList from './prices.json' with { type: 'json' }

const { flatRatePlans } = priceList

/** A change of the configuration or of the usage, and its effect on the month's bill: negative if it saves. */
export interface Saving {
  readonly what: string
  readonly usd: number
}

/** Managed rule sets, and a limit of requests from one address. */
export const defaultWaf = { webAcls: 1, webRules: 4 } as const

/** A plan for the distribution of the site, instead of the lines that it includes: the cheapest that holds the usage, and the next one. */
function listPlanSavings(lines: readonly Line[]): Saving[] {
  const countUnits = (price: PriceName) =>
    lines.filter((line) => line.price === price).reduce((sum, { units }) => sum + units, 0)
  const included = sumUsd(lines.filter(({ service }) => service === 'CloudFront' || service === 'WAF'))
  return flatRatePlans.plans
    .filter(
      ({ requests, transferGb }) =>
        countUnits('siteRequest') <= requests && countUnits('siteTransfer') <= transferGb,
    )
    .slice(0, 2)
    .map(({ name, usd }) => ({
      what: `CloudFront’s plan ${name} for the site, a WAF included, instead of a price for each request (unconfirmed, of ${flatRatePlans.date})`,
      usd: usd - included,
    }))
}

/** Choices that change the bill, each on its own: the bill with the choice less the current bill. */
export function listSavings(usage: Usage, deployed: DeployedResources): Saving[] {
  const lines = calculateBill(usage, deployed)
  const now = sumUsd(lines)
  const withResources = (what: string, changed: Partial<DeployedResources>): Saving => ({
    what,
    usd: sumUsd(calculateBill(usage, { ...deployed, ...changed })) - now,
  })
  const withUsage = (what: string, changed: Partial<Usage>): Saving => ({
    what,
    usd: sumUsd(calculateBill({ ...usage, ...changed }, deployed)) - now,
  })
  const { webAcls, vault, keys, memoryMb } = deployed
  const chatMb = memoryMb['Chat'] ?? 512
  return [
    webAcls > 0
      ? withResources('No WAF', { webAcls: 0, webRules: 0 })
      : withResources(`A WAF with ${defaultWaf.webRules} rules`, defaultWaf),
    ...listPlanSavings(lines),
    // the other backend of the vault (ADR 0019)
    usage.integrations > 0 &&
      (vault === 'secrets'
        ? withResources('Credentials sealed in the table under one KMS key, instead of a secret each', {
            vault: 'table',
            keys: keys + 1,
          })
        : withResources('Credentials in a secret each', { vault: 'secrets', keys: keys - 1 })),
    withResources('Logs kept for 365 days', { logRetentionDays: 365 }),
    withResources('Logs kept for 7 days', { logRetentionDays: 7 }),
    deployed.alarms > 0 &&
      withResources('No monitoring: alarms, dashboard, metrics (`-c monitoring=off`)', {
        alarms: 0,
        dashboards: 0,
        metrics: 0,
      }),
    deployed.tracing && withResources('No traces', { tracing: false }),
    withResources(`The chat function with ${2 * chatMb} MB instead of ${chatMb}`, {
      memoryMb: { ...memoryMb, Chat: 2 * chatMb },
    }),
    withUsage('Replies that take twice as long', { seconds: 2 * usage.seconds }),
    !usage.freeTier && withUsage("AWS's permanent free tier, if nothing else uses it", { freeTier: true }),
  ].filter((saving) => saving !== false)
}
