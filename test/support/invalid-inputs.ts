import * as z from 'zod'
import type { Sentence } from '#shared/sentences/sentence.ts'
import { sayIssue } from '../../functions/platform/invalid-input.ts'
import { zodParameters } from '../../functions/tools/calls/tool.ts'

/** What a route says of an address in a list. */
export function findInvalidEmail(address: string): Sentence {
  const input = { emails: [address] }
  const [issue] = z.object({ emails: z.array(z.email()) }).safeParse(input).error?.issues ?? []
  if (!issue) throw new Error('the address is valid')
  return sayIssue(issue, input)
}

const parameters = zodParameters(z.strictObject({ query: z.string().max(8), count: z.number().min(1) }))

/** What a tool says of its arguments. */
export function findInvalidArguments(input: Record<string, unknown>): Sentence {
  const checked = parameters.check(input)
  if (!('problem' in checked)) throw new Error('the arguments are valid')
  return checked.problem
}
