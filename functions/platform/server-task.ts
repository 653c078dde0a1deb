import * as z from 'zod'

/** A task that a server has made of a call (MCP extension `io.modelcontextprotocol/tasks`, SEP-2663), as it is stored with the call. */
export const serverTask = z.object({
  /** its id at the server; anyone who knows it may be able to read the task */
  id: z.string(),
  /** fingerprint of the server's address */
  server: z.string(),
  /** when the product first received it */
  createdAtMs: z.number(),
  /** until when the server stores it; undefined if that is longer than the product asks */
  expiresAtMs: z.number().optional(),
  /** how long to wait between two requests */
  pollMs: z.number(),
  /** what the server says of its progress: one line, untrusted */
  message: z.string().optional(),
  /** keys of its requests for input that were answered */
  answered: z.array(z.string()).optional(),
})
export type ServerTask = z.output<typeof serverTask>
