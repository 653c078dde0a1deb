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

type PriceDifference = (usage: Partial<Usage>, deployed?: Partial<DeployedResources>) => number

/** The other backend of the vault (ADR 0019). */
function listVaultSavings(
  { integrations }: Usage,
  { vault, keys }: DeployedResources,
  calculateDifference: PriceDifference,
): Saving[] {
  if (integrations === 0) return []
  return vault === 'secrets'
    ? [
        {
          what: 'Credentials sealed in the table under one KMS key, instead of a secret each',
          usd: calculateDifference({}, { vault: 'table', keys: keys + 1 }),
        },
      ]
    : [
        {
          what: 'Credentials in a secret each',
          usd: calculateDifference({}, { vault: 'secrets', keys: keys - 1 }),
        },
      ]
}

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
  const calculateDifference: PriceDifference = (changedUsage, changedResources = {}) =>
    sumUsd(calculateBill({ ...usage, ...changedUsage }, { ...deployed, ...changedResources })) - now
  const chatMb = deployed.memoryMb['Chat'] ?? 512
  const savings: (Saving | undefined)[] = [
    deployed.webAcls > 0
      ? { what: 'No WAF', usd: calculateDifference({}, { webAcls: 0, webRules: 0 }) }
      : { what: `A WAF with ${defaultWaf.webRules} rules`, usd: calculateDifference({}, defaultWaf) },
    ...listPlanSavings(lines),
    ...listVaultSavings(usage, deployed, calculateDifference),
    { what: 'Logs kept for 365 days', usd: calculateDifference({}, { logRetentionDays: 365 }) },
    { what: 'Logs kept for 7 days', usd: calculateDifference({}, { logRetentionDays: 7 }) },
    deployed.alarms > 0
      ? {
          what: 'No monitoring: alarms, dashboard, metrics (`-c monitoring=off`)',
          usd: calculateDifference({}, { alarms: 0, dashboards: 0, metrics: 0 }),
        }
      : undefined,
    deployed.tracing ? { what: 'No traces', usd: calculateDifference({}, { tracing: false }) } : undefined,
    {
      what: `The chat function with ${2 * chatMb} MB instead of ${chatMb}`,
      usd: calculateDifference({}, { memoryMb: { ...deployed.memoryMb, Chat: 2 * chatMb } }),
    },
    { what: 'Replies that take twice as long', usd: calculateDifference({ seconds: 2 * usage.seconds }) },
    usage.freeTier
      ? undefined
      : {
          what: "AWS's permanent free tier, if nothing else uses it",
          usd: calculateDifference({ freeTier: true }),
        },
  ]
  return savings.filter((lever) => lever !== undefined)
}
