import { parseJson } from '#shared/parse-json.ts'
import { isRecord, listRecords, type ModelRequest, type OfferedTool } from './model-request.ts'
import type { Reply } from './reply-parts.ts'
import { withoutTableNote } from './table-query.ts'
import {
  callFound,
  chooseTool,
  fillMail,
  isSearchResult,
  readFoundTools,
  searchForTool,
  type ToolCall,
} from './tool-choice.ts'
import { replyFromResults, unwrap } from './tool-reply.ts'
import { excerpt } from './words.ts'

/** 'Read my unread mail, draft the answers, and ask me before you send': what is read, and that it is answered. */
const asksForAnswers =
  /\b((?:read|check|go through)\b.{0,80}?\b(?:e-?mails?|mails?|inbox)\b).{0,120}?\b(?:answers?|reply|replies|respond)\b/is
const sendSentence = 'Send an email'

/**
 * The next step of a turn that reads mails and answers them: a call that lists them, then one for each mail that asks something.
 * @returns undefined for other messages, where no tool fits, and once the answers were sent, denied or failed
 */
export function answerMails(
  message: string,
  request: ModelRequest,
  tools: readonly OfferedTool[],
): Reply | undefined {
  const [, reading] = asksForAnswers.exec(message) ?? []
  if (reading === undefined || request.toolChoice !== 'auto') return undefined
  const { messages } = request
  const turn = messages.slice(messages.findLastIndex(({ role }) => role === 'user') + 1)
  const isResult = ({ role }: (typeof turn)[number], index: number) =>
    role === 'tool' && !isSearchResult(turn, index)
  const results = turn.filter(isResult)
  const found = turn.flatMap(({ text }, index) => (isSearchResult(turn, index) ? readFoundTools(text) : []))
  const searched = isSearchResult(turn, turn.length - 1)
  // a search that finds nothing is not repeated
  const search = (query: string) =>
    searched ? undefined : toReply(searchForTool(query, { ...request, messages: [] }))
  const [result] = results
  if (!result) {
    const chosen = chooseConnected(reading, [tools, found])
    return chosen ? toReply(chosen.wrap(chosen.call)) : search(message)
  }
  const mails = readMails(result.text)
  if (results.length > 1 || !mails) return undefined
  const answers = mails.flatMap(writeAnswer)
  if (answers.length === 0)
    return {
      kind: 'text',
      text: `${replyFromResults(messages)}\n\nNone of them asks me anything that I could answer, so there is nothing to send.`,
    }
  const sender = chooseConnected(sendSentence, [tools.filter(sendsMails), found.filter(sendsMails)])
  return sender
    ? toReply(
        ...answers.map((mail) =>
          sender.wrap({ name: sender.call.name, arguments: fillMail(sender.tool, mail) }),
        ),
      )
    : search(sendSentence)
}

const toReply = (...calls: (ToolCall | undefined)[]): Reply | undefined => {
  const chosen = calls.filter((call) => call !== undefined)
  return chosen.length > 0 ? { kind: 'tools', calls: chosen } : undefined
}

/** Whether a tool has parameters for a recipient and a text. */
function sendsMails(tool: OfferedTool): boolean {
  const [to, body] = ['ann@example.org', 'text']
  const values = Object.values(fillMail(tool, { to, subject: 'subject', body })).flat()
  return values.includes(to) && values.includes(body)
}

/** The tool for a sentence, and how it is called: those that a search has found are called by another tool. */
function chooseConnected(sentence: string, lists: readonly [readonly OfferedTool[], readonly OfferedTool[]]) {
  for (const [index, list] of lists.entries()) {
    const call = chooseTool(sentence, { tools: [...list], toolChoice: 'auto' })
    const tool = list.find(({ name }) => name === call?.name)
    if (call && tool) return { call, tool, wrap: index === 0 ? (one: ToolCall) => one : callFound }
  }
  return undefined
}

/** The mails of a list; undefined for an error or anything else. */
function readMails(text: string): Record<string, unknown>[] | undefined {
  const value = parseJson(withoutTableNote(text))
  if (!isRecord(value) || value['error'] || value['success'] === false) return undefined
  const { data } = unwrap(value)
  return Array.isArray(data) ? listRecords(data) : undefined
}

const readText = (record: Record<string, unknown>, names: readonly string[]) =>
  names.map((name) => record[name]).find((value) => typeof value === 'string') ?? ''

/** An answer to a mail that asks something: a demo quotes the question. */
function writeAnswer(mail: Record<string, unknown>): { to: string; subject: string; body: string }[] {
  const from = readText(mail, ['from', 'sender'])
  const to = /[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}/.exec(from)?.[0]
  const question = /[^.!?\n]{0,400}\?/
    .exec(readText(mail, ['snippet', 'preview', 'text', 'body']))?.[0]
    .trim()
  if (to === undefined || question === undefined) return []
  const name = from.includes('<') ? (/[\p{L}'-]+/u.exec(from)?.[0] ?? '') : ''
  const subject = excerpt(readText(mail, ['subject', 'title']), 200)
  return [
    {
      to,
      subject: /^re:/i.test(subject) ? subject : `Re: ${subject}`,
      body: `Hello${name === '' ? '' : ` ${name}`},\n\nyou ask: “${excerpt(question, 300)}” I will, and write again as soon as it is done.\n\nBest regards`,
    },
  ]
}
