import * as z from 'zod'
import { clientGeneratedId, disabledTool } from '#shared/contracts/chat.ts'
import { maxDisabledTools } from '#shared/limits.ts'

/** The app of a call in a message. `tool` is the call's tool; the server's current list says which app it has. */
export const openAppRequest = z.strictObject({
  mcp_id: z.string().min(1).max(200),
  tool: z.string().min(1).max(64),
})
export const openAppResponse = z.object({
  /** name of the integration */
  integration: z.string(),
  html: z.string(),
  /** origins that the app may reach and load from, validated */
  domains: z.object({ connect: z.array(z.string()), resource: z.array(z.string()) }),
})
export type OpenedApp = z.infer<typeof openAppResponse>

/** A call that an app makes of a tool of its own server. */
export const appCallRequest = z.strictObject({
  mcp_id: z.string().min(1).max(200),
  /** as the server names the tool */
  name: z.string().min(1).max(200),
  arguments: z.record(z.string(), z.unknown()),
  /** the user's decision, for the definition of the tool that was shown */
  decision: z
    .strictObject({
      fingerprint: z.string().max(64),
      approved: z.boolean(),
      /** from now on this tool needs no approval; it asks again when its description changes */
      always: z.boolean().optional(),
    })
    .optional(),
  /** the stored conversation that shows the app; without one, a tool that is always allowed asks too */
  session_id: clientGeneratedId.optional(),
  /** what the conversation may not use */
  disabledTools: z.array(disabledTool).max(maxDisabledTools).optional(),
  /** false: the conversation is temporary, and the arguments are not recorded */
  keep: z.boolean().optional(),
})

/** What the user has to allow before the call is made. */
export const appApproval = z.object({
  fingerprint: z.string(),
  title: z.string(),
  /** what the tool's server says that it does, shortened; nobody has checked it */
  description: z.string().optional(),
  /** the tool's server says that it may delete or overwrite things */
  destructive: z.boolean().optional(),
  /** 'Always allow' does not count: the conversation is not known to have only the user's own instructions */
  once: z.literal(true).optional(),
  /** exactly what will be sent */
  arguments: z.record(z.string(), z.unknown()),
})
export type AppApproval = z.infer<typeof appApproval>

export const appCallResponse = z.object({
  status: z.enum(['done', 'approval_required']),
  /** result of a call that was made or denied; not stored with the conversation */
  result: z
    .object({
      success: z.boolean(),
      data: z.unknown().optional(),
      /** the data is the structured content of the result */
      structured: z.boolean().optional(),
      error: z.string().optional(),
    })
    .optional(),
  approval: appApproval.optional(),
})
export type AppCallResponse = z.infer<typeof appCallResponse>

/** The routes of MCP Apps, of the function 'tools'. */
export const appsContracts = {
  'apps.open': { request: openAppRequest, response: openAppResponse },
  'apps.call': { request: appCallRequest, response: appCallResponse },
} as const
