import * as z from 'zod'
import { success } from '#shared/contracts/success.ts'
import { maxMemoryCharacters } from '#shared/limits.ts'

const memoryId = z.string().regex(/^[0-9a-f]{8}$/)

/** A fact that the assistant knows in all of a user's saved conversations. */
export const memory = z.object({
  id: memoryId,
  /** one line */
  text: z.string(),
  /** grows with each edit */
  version: z.number().int().positive(),
  created_at: z.string(),
})
export type Memory = z.infer<typeof memory>

const text = z.string().trim().min(1).max(maxMemoryCharacters)

/** With the id of a memory that was deleted, it comes back under that id. The same request again changes nothing. */
export const memoryAddition = z.strictObject({ id: memoryId.optional(), text })
/** `version`: the one that the user has edited. If there is a newer one, the response is 409. */
export const memoryChange = z.strictObject({ text, version: z.number().int().positive() })
const memoryResponse = z.object({ memory })

/** The contracts of the routes of memories, in the function 'account'. */
export const memoryContracts = {
  'memory.list': { response: z.object({ memories: z.array(memory) }) },
  'memory.add': { request: memoryAddition, response: memoryResponse },
  'memory.update': { request: memoryChange, response: memoryResponse },
  'memory.delete': { response: success },
  'memory.clear': { response: success },
} as const
