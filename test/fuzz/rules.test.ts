import { expect, it } from 'vitest'
import { fileKind, isDocument, isImage, isNameOnly, getStoredType } from '#shared/file-kinds.ts'
import { isPlaceholderName } from '../../functions/integrations/placeholder-name.ts'
import { sessionTitle } from '#shared/session-title.ts'
import { truncate } from '#shared/truncate.ts'
import {
  displayStatus,
  computeExpiry,
  describeExpiry,
  parseExpiry,
  healthStatus,
  isExpired,
  needsAttention,
  parseTokenStatus,
} from '#shared/token-status.ts'
import { buildFileName } from '../../functions/account/export-account.ts'
import { documentKind } from '../../functions/documents/document-kind.ts'
import { parseLinkedId } from '../../functions/files/file-links.ts'
import { matchesType } from '../../functions/files/file-content.ts'
import { disposition, sanitizeFileName } from '../../functions/files/file-name.ts'
import { sanitizeDisplayName } from '../../functions/platform/sanitize-line.ts'
import {
  anyJson,
  arbitraryText,
  fc,
  limitCpuTime,
  backtrackingText,
  wellFormedText,
} from '../support/fuzz.ts'

it('a title is one line of whole words of the message, and never splits a character', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        wellFormedText(400),
        backtrackingText(['how to ', 'what is ', '👋', '.', ' '], 5_000).map((text) => text.toWellFormed()),
      ),
      (message) => {
        const title = limitCpuTime(() => sessionTitle(message))
        expect(title).not.toBe('')
        expect(title).not.toMatch(/[\n\r\t]/)
        expect(title.isWellFormed()).toBe(true)
        const text = message.trim().split(/\s+/).join(' ')
        // marks of Markdown are left out
        if (title !== 'New Chat' && !/[#>*+`~[-]/.test(text)) {
          expect(text).toContain(title.endsWith('...') && title !== text ? title.slice(0, -3) : title)
          if (text.length <= 50) expect(title).toBe(text)
        }
      },
    ),
    { examples: [[`${'a'.repeat(299)}${'👋'.repeat(3)}`]] },
  )
  fc.assert(
    fc.property(wellFormedText(40), fc.integer({ min: -2, max: 50 }), (text, length) => {
      const prefix = truncate(text, length)
      expect(text.startsWith(prefix) && prefix.isWellFormed() && prefix.length <= Math.max(0, length)).toBe(
        true,
      )
    }),
  )
})

const moment = fc.oneof(
  fc.double(),
  fc.integer(),
  fc.constantFrom(1e10, 1e10 - 1, 8.64e15, 8.64e15 + 1, 1e300, -1e300),
  arbitraryText(30),
  fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
  fc.constantFrom(null, undefined, ''),
)

it('a token’s time is a valid date or none, and its text matches', () => {
  fc.assert(
    fc.property(
      moment,
      fc.date({ noInvalidDate: true, min: new Date(0), max: new Date(4e12) }),
      fc.double(),
      (expiry, now, lifetimeSeconds) => {
        const end = parseExpiry(expiry)
        const text = describeExpiry(expiry, now)?.text
        expect(text === undefined).toBe(end === undefined)
        if (end === undefined) {
          expect(isExpired(expiry, now)).toBe(false)
          return
        }
        expect(Number.isNaN(new Date(end).getTime())).toBe(false)
        expect(text).toMatch(/^Expired$|^Expires in \d+(m|h|d \d+h)$/)
        if (text === 'Expired') expect(isExpired(expiry, now, 0)).toBe(true)
        const state = {
          status: 'connected' as const,
          tokenStatus: parseTokenStatus(expiry),
          expiresAt: new Date(end).toISOString(),
        }
        displayStatus(state, now)
        needsAttention(state, now)
        expect(healthStatus(state.tokenStatus)).toMatch(/healthy|attention/)
        const newExpiryMs = computeExpiry(now.getTime(), lifetimeSeconds)
        if (newExpiryMs !== undefined && lifetimeSeconds > 0)
          expect(newExpiryMs).toBeGreaterThanOrEqual(now.getTime())
      },
    ),
  )
  fc.assert(
    fc.property(anyJson(), (value) => {
      expect(parseTokenStatus(value)).toBeTypeOf('string')
    }),
  )
})

it('a file name is safe to show and to save, and cleaning it again changes nothing', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        arbitraryText(300),
        arbitraryText(300).map((text) => `${text}.txt`),
        arbitraryText(300).map((text) => `${'a'.repeat(190)} . ${text}`),
      ),
      (name) => {
        const safeName = limitCpuTime(() => sanitizeFileName(name))
        expect(safeName).not.toBe('')
        expect(Array.from(safeName).length).toBeLessThanOrEqual(200)
        // emoji of several people, and some letters, need their joiners
        expect(safeName).not.toMatch(/[/\\\p{Cc}]|(?![\u200c\u200d])\p{Cf}/u)
        expect(safeName).not.toMatch(/^[. ]|[. ]$/)
        expect(sanitizeFileName(safeName)).toBe(safeName)
        const header = disposition('inline', safeName)
        expect(header).toMatch(/^inline; filename="[\x20-\x7e]*"; filename\*=UTF-8''[\x21-\x7e]*$/)
        expect(decodeURIComponent(header.split("UTF-8''")[1] ?? '')).toBe(safeName)
        new Headers({ 'content-disposition': header })
        const exportName = buildFileName(
          {
            id: 'x',
            user_id: '',
            title: name,
            created_at: '2026-11-20',
            updated_at: '',
            message_count: 0,
          },
          'en',
        )
        expect(exportName).not.toMatch(/[/\\]|\.\./)
        expect(sanitizeDisplayName(name)).not.toMatch(/\n/)
      },
    ),
    { examples: [['e\u200d\u0301.txt'], [`${'a'.repeat(199)} bbb`]] },
  )
})

it('any name and type has exactly one kind of file', () => {
  fc.assert(
    fc.property(
      fc.oneof(arbitraryText(40), fc.constantFrom('a.docx', 'x.ts', 'a.constructor', '.__proto__')),
      arbitraryText(40),
      fc.uint8Array({ maxLength: 40 }),
      (name, type, bytes) => {
        const file = { name, type }
        expect(fileKind(file)).toBeTypeOf('string')
        expect(isNameOnly(file)).toBe(!isDocument(file) && !isImage(file))
        expect(getStoredType(file)).toMatch(/^[\x20-\x7e]*$/)
        documentKind(file)
        matchesType(bytes, type)
        isPlaceholderName(name)
        expect(parseLinkedId('ann', name)).toBe(undefined)
        expect(parseLinkedId('ann', `https://s3.example/users/bob/${name}/original`)).toBe(undefined)
      },
    ),
  )
})
