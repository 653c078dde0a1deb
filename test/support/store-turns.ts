import type { openStackTable } from './stack-table.ts'
import type { StackUser } from './stack-user.ts'

/**
 * Stores a conversation of a user: a page test that needs a long one would spend its time with sending it.
 * @param write the question and the reply of a turn, the first is 1
 * @returns the conversation's id; its messages have the ids `user-1`, `assistant-1`, …
 */
export async function storeTurns(
  table: Pick<Awaited<ReturnType<typeof openStackTable>>, 'put'>,
  user: StackUser,
  turns: number,
  write: (turn: number) => readonly [question: string, reply: string],
): Promise<string> {
  const sessionId = crypto.randomUUID()
  const created_at = new Date().toISOString()
  const put = (turn: number, position: 1 | 2, role: string, content: string) =>
    table.put(user.sub, `M#${sessionId}#${String(turn).padStart(6, '0')}#${position}`, {
      id: `${role}-${turn}`,
      session_id: sessionId,
      role,
      content,
      attachments: [],
      tool_calls: [],
      created_at,
      run_at: Date.now(),
    })
  await table.put(user.sub, `S#${sessionId}`, {
    title: write(1)[0],
    created_at,
    updated_at: created_at,
    message_count: 2 * turns,
    rev: 1,
  })
  for (let turn = 1; turn <= turns; turn += 1) {
    const [question, reply] = write(turn)
    await put(turn, 1, 'user', question)
    await put(turn, 2, 'assistant', reply)
  }
  return sessionId
}
