import { describe, it, vi } from 'vitest'
import { readToolResult } from '../../functions/mcp/tool-result.ts'
import { findFieldProblem } from '#shared/elicitation.ts'
import { parseRecipients } from '#shared/mail-recipients.ts'
import { maskSecrets } from '#shared/mask-secrets.ts'
import { isInternal } from '#shared/message-content.ts'
import { isPlaceholderName } from '../../functions/integrations/placeholder-name.ts'
import { sessionTitle } from '#shared/session-title.ts'
import { isAtDomain, signUpPolicy } from '#shared/sign-up-policy.ts'
import { quoteText } from '../../functions/providers/atlassian.ts'
import { formatMailMessage, InvalidMail } from '../../functions/providers/gmail/mail-message.ts'
import { explainBedrockError } from '../../functions/models/bedrock/bedrock-errors.ts'
import { rejectionError } from '../../functions/models/request-errors.ts'
import { findRejection } from '../../functions/models/rejections.ts'
import { formatMemories } from '../../functions/chat/prompt/memory-context.ts'
import { openMarkdown } from '../../functions/conversations/conversation-markdown.ts'
import { disposition, sanitizeFileName } from '../../functions/files/file-name.ts'
import { formatError, formatResult } from '../../functions/mcp/result.ts'
import { collectRichContent } from '../../functions/mcp/result-media.ts'
import { isSecretField } from '../../functions/mcp/secret-fields.ts'
import { parseBearerToken } from '../../functions/platform/auth/access-token.ts'
import { LoggableError } from '../../functions/platform/errors.ts'
import { foldLookAlikes } from '../../functions/platform/look-alikes.ts'
import { logger } from '../../functions/platform/telemetry/logger.ts'
import {
  cleanData,
  cleanText,
  htmlToText,
  httpsLink,
  plainLine,
} from '../../functions/platform/untrusted-text.ts'
import { toProviderError } from '../../functions/providers/errors.ts'
import { toMcpRegistryId } from '../../functions/registry/mcp-registry-entry.ts'
import { parseReadme } from '../../functions/registry/readme.ts'
import { sanitizeDisplayName } from '../../functions/platform/sanitize-line.ts'
import { rankTools } from '../../functions/tools/offer/rank-tools.ts'
import { buildToolName, toSlug } from '../../functions/tools/calls/tool-name.ts'
import { limitCpuTime, part } from '../support/fuzz.ts'

/** Enough for quadratic time to be far beyond the limit. */
const length = 50_000

/** What the patterns of the product begin with, and what they skip. */
const units = [
  ...Array.from(' \t\n\u00a0_.,;:!?-+*#/\\\'"<>()[]{}&=@|~`^%$0aA\u0301\u200b\ud800'),
  'a.',
  'a@',
  'a ',
  '.a',
  '"a',
  '\\"',
  '"\\',
  '" ',
  '< ',
  '<a ',
  '<style',
  '<!--',
  '](',
  '[a](',
  '![',
  '- ',
  '1. ',
  '# ',
  '\n#',
  '&#x',
  'A_',
  'eyJ-',
  'eyJ.',
  'sk-',
  'xoxb-',
  'bearer ',
  'Bearer\t',
  'code=',
  'scope="',
  'model ',
  'unknown ',
  'not support',
  'responses ',
  'security token',
  'how to ',
  'pass ',
  'data:',
  '<p hidden>',
  '<a href="https://a.b">',
  '</a>',
  '<p style="',
  '\n    at a (',
  '    at node:a:1:',
  'https://',
  '😀',
]

const rejected = { api: 'responses', isAuto: true, without: new Set() } as const
const images = { role: 'user', content: [{ type: 'image_url', image_url: { url: 'data:' } }] }
const toResult = (content: object) => readToolResult({ content: [content] })

const functions: Readonly<Record<string, (text: string) => unknown>> = {
  toSlug,
  buildToolName: (text) => buildToolName(text, text),
  sanitizeFileName,
  disposition: (text) => disposition('inline', sanitizeFileName(text)),
  sessionTitle,
  'a title from its question word': (text) => sessionTitle(`how${text}x to do`),
  isInternal,
  isPlaceholderName,
  parseRecipients,
  maskSecrets,
  cleanText,
  cleanData: (text) => cleanData({ [text]: text }),
  plainLine: (text) => plainLine(text, text.length),
  htmlToText: (text) => htmlToText(text, { withLinks: true }),
  httpsLink,
  parseReadme,
  sanitizeDisplayName,
  foldLookAlikes,
  isSecretField,
  parseBearerToken,
  toMcpRegistryId,
  quoteText,
  isAtDomain: (text) => isAtDomain(text, ['example.org']),
  signUpPolicy: (text) => signUpPolicy.safeParse(text),
  findFieldProblem: (text) =>
    (['email', 'uri', 'date', 'date-time'] as const).map((format) =>
      findFieldProblem({ name: 'a', label: 'A', type: 'text', required: true, format }, text),
    ),
  formatMemories: (text) => formatMemories([{ id: 'a', text, version: 1, created_at: '' }]),
  markdownTitle: (text) =>
    openMarkdown('en', 'Ada').formatTitle({ title: text, created_at: '2026-11-25T00:00:00.000Z' }),
  formatMail(text) {
    try {
      formatMailMessage({ to: text, subject: text, body: text })
    } catch (error) {
      if (!(error instanceof InvalidMail)) throw error
    }
  },
  formatResult: (text) => formatResult(toResult({ type: 'text', text })),
  formatError: (text) => formatError(toResult({ type: 'text', text })),
  collectRichContent: (uri) =>
    collectRichContent(toResult({ type: 'resource', resource: { uri, text: 'a' } }), uri, {
      files: [],
      links: [],
    }),
  explainBedrockError: (text) => explainBedrockError(400, '', text.slice(0, 1_000)),
  rejectionError(text) {
    const error = rejectionError({ status: 400, message: text, code: text, param: text }, false)
    const call = { messages: [images], tools: [{}], effort: undefined }
    findRejection(error, { ...rejected, call } as never)
  },
  toProviderError: (text) =>
    toProviderError('A', {
      status: 403,
      headers: new Headers({ 'www-authenticate': text.replace(/[^\x20-\x7e]/g, ' ') }),
      body: { error: { message: text, status: text } },
    }),
  rankTools: (text) => rankTools([{ name: 'a', description: text } as never], text),
  logger: (text) => logger.warn('a', { error: new LoggableError(text) }),
}

describe.each(Object.entries(functions))('%s', (_, work) => {
  it('takes time that grows with its text, whatever is repeated in it', () => {
    vi.spyOn(process.stdout, 'write').mockReturnValue(true)
    for (const [index, unit] of units.entries()) {
      const run = unit.repeat(Math.ceil(length / unit.length))
      for (const text of part([run, `x${run}x`, `"${run}<`], 3, index))
        try {
          limitCpuTime(() => work(text))
        } catch (error) {
          throw new Error(`repeated ${JSON.stringify(unit)}`, { cause: error })
        }
    }
  })
})
