import { describe, expect, it } from 'vitest'
import { maskSecrets } from '#shared/mask-secrets.ts'
import { sanitizeDisplayName } from '../../functions/platform/sanitize-line.ts'
import { httpsLink, plainLine, cleanText, htmlToText } from '../../functions/platform/untrusted-text.ts'
import { formatError, formatResult } from '../../functions/mcp/result.ts'
import { checkSchemas, cleanSchema, SchemaUnusable, buildParameters } from '../../functions/mcp/schema.ts'
import { buildToolName } from '../../functions/tools/calls/tool-name.ts'
import {
  anyJson,
  arbitraryText,
  fc,
  divideRuns,
  limitCpuTime,
  mutatedJson,
  backtrackingText,
  stringify,
} from '../support/fuzz.ts'

// oxlint-disable-next-line no-control-regex
const invisibleCharacters = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/

describe('texts', () => {
  it('are clean, whole and short', () => {
    fc.assert(
      fc.property(arbitraryText(), fc.integer({ min: 1, max: 60 }), (text, maxCharacters) => {
        for (const clean of [cleanText(text, maxCharacters), plainLine(text, maxCharacters)]) {
          expect(clean.length).toBeLessThanOrEqual(maxCharacters + 1)
          expect(clean.isWellFormed()).toBe(true)
          expect(clean).not.toMatch(invisibleCharacters)
        }
        expect(plainLine(text, maxCharacters)).not.toMatch(/\s\s|\n/)
        expect(cleanText(cleanText(text, maxCharacters), maxCharacters + 1)).toBe(
          cleanText(text, maxCharacters),
        )
        const name = sanitizeDisplayName(text)
        expect(name.length).toBeLessThanOrEqual(80)
        expect(name).not.toMatch(invisibleCharacters)
        expect(sanitizeDisplayName(name)).toBe(name)
      }),
    )
  })

  it('of HTML have no tags, and are ready in time for any HTML', () => {
    const html = backtrackingText(
      [
        '<',
        '>',
        '<style',
        '<script>',
        '</script>',
        '<br',
        '</p',
        '&',
        '&#',
        '&amp;',
        '\t',
        '<!--',
        '<a href="',
        '</a>',
        '<p hidden>',
        '<div style="display:none">',
        '</div>',
        '-->',
        '"',
      ],
      60_000,
    )
    fc.assert(
      fc.property(fc.oneof(html, arbitraryText()), (text) => {
        expect(limitCpuTime(() => htmlToText(text, { withLinks: true }))).not.toMatch(
          /<(?:script|style|br|p)\b[^<>]*>/i,
        )
      }),
    )
  })

  it('links are https, or none', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          arbitraryText(),
          fc.webUrl(),
          arbitraryText().map((text) => `https://${text}`),
        ),
        (text) => {
          const link = httpsLink(text)
          if (link !== undefined)
            expect(new URL(link)).toMatchObject({ protocol: 'https:', username: '', password: '' })
        },
      ),
    )
  })
})

describe('masks', () => {
  const secret = fc.oneof(
    fc.stringMatching(/^sk-proj-[A-Za-z0-9]{20,40}$/),
    fc.stringMatching(/^gh[pousr]_[A-Za-z0-9]{20,40}$/),
    fc.stringMatching(/^xoxb-[0-9A-Za-z-]{12,40}$/),
    fc.stringMatching(/^eyJ[\w-]{10,30}\.eyJ[\w-]{10,30}\.[\w-]{10,40}$/),
    fc.stringMatching(/^[A-Za-z0-9]{16,40}$/).map((token) => `Bearer ${token}`),
  )

  it('hide secrets anywhere, in time', () => {
    fc.assert(
      fc.property(
        secret,
        arbitraryText(),
        arbitraryText(),
        fc.integer({ min: 0, max: 5 }),
        (secretText, before, after, levels) => {
          let value: unknown = `${before} ${secretText} ${after}`
          for (let level = 0; level < levels; level += 1) value = level % 2 ? [value] : { note: value }
          const token = secretText.replace('Bearer ', '')
          expect(JSON.stringify(maskSecrets(value))).not.toContain(token)
          expect(
            JSON.stringify(
              maskSecrets({ apiKey: token, nested: { password: token, list: [{ client_secret: token }] } }),
            ),
          ).not.toContain(token)
        },
      ),
    )
    const text = backtrackingText(
      ['eyJ', 'sk-', '-', '.', 'Bearer ', 'ghp_', 'xoxb-', 'aaaaaaaaaaaa'],
      100_000,
    )
    fc.assert(
      fc.property(text, (long) => void limitCpuTime(() => maskSecrets({ long }))),
      { examples: [['eyJ-'.repeat(25_000)]] },
    )
  })

  it('take any value in time, and leave what is no secret unchanged', () => {
    fc.assert(
      fc.property(anyJson(), (value) => {
        JSON.stringify(limitCpuTime(() => maskSecrets(value)))
      }),
    )
    expect(maskSecrets({ a: [1, 'x', { b: null }] })).toEqual({ a: [1, 'x', { b: null }] })
  })
})

describe('results of servers', () => {
  const block = fc.oneof(
    fc.record({
      type: fc.constant('text'),
      text: fc.oneof(arbitraryText(), anyJson().map(stringify), fc.constant('['.repeat(100_000))),
    }),
    fc.record({ type: fc.constantFrom('image', 'audio'), data: arbitraryText(), mimeType: arbitraryText() }),
    fc.record({
      type: fc.constant('resource'),
      resource: fc.record({ uri: arbitraryText(), text: arbitraryText() }),
    }),
    fc.record({ type: fc.constant('resource_link'), uri: arbitraryText(), name: arbitraryText() }),
    fc.record({ type: arbitraryText() }),
  )
  it('can be written as JSON', () => {
    fc.assert(
      fc.property(fc.array(block), fc.option(anyJson(), { nil: undefined }), (content, structuredContent) => {
        const result = { content, ...(structuredContent !== undefined && { structuredContent }) }
        const formatted = limitCpuTime(() => formatResult(result as never))
        expect(JSON.stringify(formatted).length).toBeLessThan(3_000_000)
        expect(formatError(result as never)).not.toBe('')
      }),
    )
  })
})

describe('schemas of servers', () => {
  const schema = {
    type: 'object',
    $defs: { name: { type: 'string', pattern: '^a+$' } },
    properties: {
      who: { $ref: '#/$defs/name' },
      when: { anyOf: [{ type: 'string', format: 'date' }, { type: 'null' }] },
      list: { type: 'array', items: { type: 'object', properties: { a: { enum: [1, 2] } } }, minItems: 1 },
    },
    required: ['who'],
    oneOf: [{ properties: { x: { type: 'string' } } }],
  }
  it('are usable and validated in time, or refused', () => {
    fc.assert(
      fc.property(
        mutatedJson(
          schema,
          fc.oneof(
            anyJson(),
            fc.constantFrom(
              '(a+)+$',
              { $ref: '#' },
              { $ref: '#/properties/who' },
              { not: {} },
              { pattern: '(' },
            ),
          ),
        ),
        anyJson(),
        (serverSchema, value) => {
          if (typeof serverSchema !== 'object' || serverSchema === null || Array.isArray(serverSchema)) return
          let clean
          try {
            clean = cleanSchema(serverSchema as Record<string, unknown>)
          } catch (error) {
            if (error instanceof SchemaUnusable) return
            throw error
          }
          if (!checkSchemas([clean])[0]) return
          const parameters = buildParameters(clean)
          expect(parameters.schema['type']).toBe('object')
          const outcome = parameters.check({ who: 'a'.repeat(30), value })
          if ('problem' in outcome) expect(outcome.problem.text).not.toBe('')
        },
      ),
      divideRuns(2),
    )
  })
})

it('a tool has a name that models accept, unique and stable', () => {
  const id = fc.oneof(fc.stringMatching(/^[a-z0-9-]{1,64}$/), arbitraryText(80))
  fc.assert(
    fc.property(id, id, id, (prefix, tool, other) => {
      const name = buildToolName(prefix, tool)
      expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/)
      expect(buildToolName(prefix, tool)).toBe(name)
      if (other !== tool) expect(buildToolName(prefix, other)).not.toBe(name)
    }),
  )
})
