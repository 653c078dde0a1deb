import { coded } from '#shared/sentences/sentence.ts'
import * as z from 'zod'
import { success } from '#shared/contracts/success.ts'

/** One call that the assistant made, or that was denied. Secrets are masked; times are ISO 8601. */
export const ledgerEntry = z.object({
  id: z.string(),
  at: z.string(),
  tool: z.string(),
  /** what people call the tool */
  title: z.string(),
  /** name and id of the integration; null for the product's own tools */
  integration: z.string().nullable(),
  mcp_id: z.string().nullable(),
  /** null for temporary chats */
  arguments: z.record(z.string(), z.unknown()).nullable(),
  success: z.boolean(),
  /** what went wrong */
  error: z.string().nullable(),
  /** what `error` says, one after the other */
  codes: z.array(coded).optional().catch(undefined),
  /** characters of the result */
  result_size: z.number().int().nonnegative(),
  /** read-only; approved for this call; always allowed; denied */
  allowed: z.enum(['reading', 'approved', 'always', 'denied']),
})
export type LedgerEntry = z.infer<typeof ledgerEntry>

/** GET /api/tools/ledger: newest first. Ask again with `before: next` until `next` is null. */
export const ledgerQuery = z.object({ before: z.string().max(200).optional() })
export const ledgerPage = z.object({ entries: z.array(ledgerEntry), next: z.string().nullable() })

/** A tool that needs no approval any more. `id` identifies the definition that was allowed. */
export const allowedTool = z.object({
  id: z.string(),
  tool: z.string(),
  title: z.string(),
  integration: z.string().nullable(),
  mcp_id: z.string().nullable(),
  allowed_at: z.string(),
})
export type AllowedTool = z.infer<typeof allowedTool>
export const allowedList = z.object({ tools: z.array(allowedTool) })

/** A tool of a connection. `writes`: the user is asked before it runs. */
const toolSummary = z.object({
  id: z.string(),
  /** its name for the model: what the ledger and `writes` of schedules call it; absent from earlier releases */
  tool: z.string().optional(),
  name: z.string(),
  description: z.string(),
  writes: z.boolean(),
  /** JSON Schema of the arguments */
  parameters: z.record(z.string(), z.unknown()),
  /** example requests of users */
  examples: z.array(z.string()),
})

/** A connection with its tools. */
const integrationTools = z.object({
  id: z.string(),
  name: z.string(),
  provider: z.string(),
  status: z.enum(['connected', 'disconnected']),
  health_status: z.enum(['healthy', 'attention']),
  capabilities: z.array(toolSummary),
  /** ISO 8601; null when the assistant has not used it yet */
  lastUsed: z.string().nullable(),
  usage_count: z.number().int().nonnegative(),
  /** why there are none right now, or null */
  problem: z.string().nullable(),
  /** what `problem` says */
  ...coded.partial().shape,
})
export type IntegrationTools = z.infer<typeof integrationTools>
export const toolList = z.object({ integrations: z.array(integrationTools) })

export const toolsContracts = {
  'tools.list': { response: toolList },
  'tools.ledger': { query: ledgerQuery, response: ledgerPage },
  'tools.clearLedger': { response: success },
  'tools.allowed': { response: allowedList },
  'tools.revoke': { response: success },
} as const
