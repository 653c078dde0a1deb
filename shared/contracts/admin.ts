import * as z from 'zod'

/** `catalogue`: no servers of the user's own; `built_in`: no remote servers at all. */
export const toolsAllowed = z.enum(['all', 'catalogue', 'built_in', 'none'])
export type ToolsAllowed = z.infer<typeof toolsAllowed>

const amount = z.number().int().min(0).max(1e12)
const usd = z.number().min(0).max(1e9)

/** What the members of a group may use. Absent: what the deployment allows. 0: nothing at all. Costs in USD, days in UTC. */
export const groupLimits = z.strictObject({
  /** ids of the models that members may choose; absent: all */
  models: z.array(z.string().min(1).max(200)).max(50).optional(),
  tokens_per_day: amount.optional(),
  tokens_per_month: amount.optional(),
  cost_per_day: usd.optional(),
  cost_per_month: usd.optional(),
  images_per_day: amount.optional(),
  uploads_per_day: amount.optional(),
  storage_gb: z.number().min(0).max(1e6).optional(),
  tools: toolsAllowed.optional(),
  require_two_factor: z.boolean().optional(),
})
export type GroupLimits = z.infer<typeof groupLimits>
