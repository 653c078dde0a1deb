import * as z from 'zod'

/** Something the model may call. What it may do was decided before it is offered; the model is asked for arguments only. */
export interface Tool {
  /** at most 64 of `[A-Za-z0-9_-]` */
  readonly name: string
  readonly description: string
  readonly parameters: z.ZodType<Record<string, unknown>>
  /** whether the user must allow each call first: everything that writes, sends, pays or deletes */
  readonly needsApproval: boolean
  readonly timeoutMs: number
  /** @returns JSON-serialisable data for the model. @throws an Error whose message the model may read */
  run(input: Record<string, unknown>, signal: AbortSignal): Promise<unknown>
  /** what of a result the page is shown and the conversation keeps; without it all of it */
  kept?(result: unknown): unknown
}

/** Results beyond this are cut, and the model is told so. */
const maxResultCharacters = 20_000

export function capResult(result: unknown): string {
  const text = typeof result === 'string' ? result : (JSON.stringify(result) ?? 'null')
  return text.length <= maxResultCharacters
    ? text
    : `${text.slice(0, maxResultCharacters)}\n[Result truncated: ${text.length} characters in all]`
}
