import { parseMessage } from '../apps/app-messages.ts'
import type { PreviewStorage, PreviewAnswers } from '../apps/frame-document.ts'

/** What a preview asked for in vain. */
export interface PreviewNotice {
  /** from where it wanted files, at most five */
  hosts: readonly string[]
  /** it wanted to lead to another page, or to save a file */
  isLeaving: boolean
}

/** What a preview tells the page. Anybody's code may send any of it. */
export type PreviewMessage =
  | { kind: 'ready' | 'pong' }
  | { kind: 'notice'; notice: PreviewNotice }
  /** what it stores: for its next document, and for nobody else */
  | { kind: 'storage'; storage: PreviewStorage }
  /** it asked while it was loading, and loads anew with the answers */
  | { kind: 'restart'; answers: PreviewAnswers }

const maxHosts = 5
const maxAnswers = 100
const hostPattern = /^[a-z\d.:-]{1,100}$/

const toArray = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

const isAnswer = (value: unknown): value is PreviewAnswers[number] =>
  value === null || typeof value === 'boolean' || typeof value === 'string'

/** @returns undefined for what is no message of a preview */
export function parsePreviewMessage(data: unknown): PreviewMessage | undefined {
  const { method, params = {} } = parseMessage(data) ?? {}
  switch (method) {
    case 'ui/notifications/sandbox-proxy-ready':
      return { kind: 'ready' }
    case 'preview/pong':
      return { kind: 'pong' }
    case 'preview/notice': {
      const hosts = toArray(params['hosts']).filter(
        (host): host is string => typeof host === 'string' && hostPattern.test(host),
      )
      return {
        kind: 'notice',
        notice: { hosts: hosts.slice(0, maxHosts), isLeaving: params['leaving'] === true },
      }
    }
    case 'preview/storage':
      return { kind: 'storage', storage: params }
    case 'preview/restart': {
      const answers = toArray(params['answers'])
      return answers.length <= maxAnswers && answers.every(isAnswer)
        ? { kind: 'restart', answers }
        : undefined
    }
    default:
      return undefined
  }
}
