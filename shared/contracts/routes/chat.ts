import * as z from 'zod'
import { chatRequest, chatResponse } from '#shared/contracts/chat.ts'
import { answerRequest, stopRequest, stopResponse } from '#shared/contracts/runs.ts'

/** What the routes of the function 'chat' take and answer. */
export const chatContracts = {
  'chat.send': { request: chatRequest, response: chatResponse },
  'runs.events': { response: z.never() },
  'runs.stop': { request: stopRequest, response: stopResponse },
  'runs.answer': { request: answerRequest, response: chatResponse },
} as const
