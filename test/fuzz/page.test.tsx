import { expect, it, vi } from 'vitest'
import { parseAuthLink } from '../../web/src/features/auth/auth-link.ts'
import { toReturnPath } from '../../web/src/features/auth/return-path.ts'
import { redeemCode } from '../../web/src/features/integrations/oauth/oauth-callback.ts'
import { loadLatestAttempt } from '../../web/src/features/integrations/oauth/oauth-attempt.ts'
import { parseSearch } from '../../web/src/lib/text/search-terms.ts'
import { createSearchIndex } from '../../web/src/features/search/search-index.ts'
import {
  anyJson,
  arbitraryText,
  fc,
  limitCpuTime,
  backtrackingText,
  wellFormedText,
  stringify,
} from '../support/fuzz.ts'

const { callApi } = vi.hoisted(() => ({ callApi: vi.fn<(...args: unknown[]) => Promise<unknown>>() }))
vi.mock('../../web/src/lib/api/call-api.ts', () => ({ callApi }))

it('the sign-in page reads known values from its URL or none, and never shows the URL’s own text', () => {
  const names = fc.constantFrom(
    'type',
    'email',
    'code',
    'error',
    'error_description',
    'message',
    'state',
    '__proto__',
  )
  const values = fc.oneof(
    arbitraryText(40),
    fc.constantFrom(
      'recovery',
      'signup',
      'access_denied',
      'Email Confirmed',
      'PreSignUp failed with error No [code=account_exists].',
    ),
  )
  const query = fc.oneof(
    arbitraryText(),
    fc
      .array(fc.tuple(names, values))
      .map((pairs) => `?${new URLSearchParams(pairs.map(([name, value]) => [name, value.toWellFormed()]))}`),
  )
  const sentences = new Set<string>()
  fc.assert(
    fc.property(query, (search) => {
      const link = parseAuthLink({ search, hash: '' }, undefined)
      if (link?.kind === 'failed') sentences.add(link.userMessage)
      if (link?.kind === 'hosted') expect(link.code !== '' && link.state !== '').toBe(true)
      if (link?.kind === 'confirm') expect(link.code !== '' && link.email !== '').toBe(true)
    }),
  )
  expect(sentences.size).toBeLessThanOrEqual(3)
})

it('after a sign-in the page stays on its own site, whatever the history says', () => {
  const from = fc.oneof(
    arbitraryText(),
    fc
      .array(
        fc.constantFrom(
          '/',
          '\\',
          '.',
          '..',
          '//',
          '@',
          ':',
          '[',
          'evil.example',
          '%2f',
          '\t',
          '?',
          '#',
          'auth',
          ' ',
        ),
        { maxLength: 8 },
      )
      .map((parts) => `/${parts.join('')}`),
  )
  fc.assert(
    fc.property(
      fc.oneof(
        from.map((path) => ({ from: path })),
        anyJson(),
      ),
      (state) => {
        const path = toReturnPath(state)
        expect(path).toMatch(/^\/(?!\/)/)
        const url = new URL(path, location.origin)
        expect(url.origin).toBe(location.origin)
        expect(url.pathname).not.toBe('/auth')
      },
    ),
    { examples: [[{ from: '//[' }], [{ from: '/.//evil.example' }]] },
  )
})

it('returning from a provider always gives a result, whatever URL and response contain', async () => {
  const part = fc.option(arbitraryText(), { nil: null })
  await fc.assert(
    fc.asyncProperty(
      fc.record({ code: part, state: part, error: part, errorDescription: part, iss: part }),
      anyJson(),
      fc.boolean(),
      async (query, answer, fails) => {
        callApi
          .mockReset()
          .mockImplementation(() =>
            fails ? Promise.reject(new Error(stringify(answer))) : Promise.resolve(answer ?? {}),
          )
        const redirectUri = 'https://juno.example/oauth/callback'
        const result = await redeemCode({ ...query, redirectUri }, () => Promise.resolve())
        expect(['success', 'error']).toContain(result.status)
        if (query.error !== null || !query.code || !query.state) {
          expect(result.status).toBe('error')
          expect(callApi).not.toHaveBeenCalled()
        }
        for (const [, args] of callApi.mock.calls as [string, { body?: { code?: string; state?: string } }][])
          if (args.body) expect(args.body).toMatchObject({ code: query.code, state: query.state })
      },
    ),
  )
})

it('data of another version in the browser is read as an attempt or ignored', () => {
  fc.assert(
    fc.property(fc.oneof(arbitraryText(), anyJson().map(stringify)), (stored) => {
      localStorage.setItem('oauth_state_x', stored)
      const attempt = loadLatestAttempt()
      if (attempt) expect([typeof attempt.mcpId, typeof attempt.timestamp]).toEqual(['string', 'number'])
      localStorage.clear()
    }),
  )
})

it('a search finds every message that contains the words, and marks them in place', () => {
  const message = wellFormedText(80)
  fc.assert(
    fc.property(
      fc.array(message, { minLength: 1, maxLength: 6 }),
      fc.nat(),
      fc.nat(),
      arbitraryText(20),
      (texts, which, offset, other) => {
        const corpus = createSearchIndex()
        const sessions = texts.map((_, at) => ({ id: `s${at}`, title: '', updated_at: `2026-11-${10 + at}` }))
        corpus.ingest({
          sessions,
          changed: null,
          messages: texts.map((content, at) => ({
            id: `m${at}`,
            session_id: `s${at}`,
            role: 'user',
            content,
            created_at: '',
          })),
        })
        const source = texts[which % texts.length] ?? ''
        const characters = Array.from(new Intl.Segmenter().segment(source), ({ segment }) => segment)
        const word =
          characters
            .slice(offset % (characters.length + 1))
            .join('')
            .split(/[\s"]/)[0] ?? ''
        const { hits } = corpus.search(word, 30)
        if (parseSearch(word).length > 0)
          expect(hits.map(({ sessionId }) => sessionId)).toContain(`s${which % texts.length}`)
        for (const { snippet } of [...hits, ...limitCpuTime(() => corpus.search(other, 30)).hits])
          for (const [from, to] of snippet?.highlights ?? [])
            expect(from < to && to <= (snippet?.text.length ?? 0)).toBe(true)
      },
    ),
  )
  fc.assert(
    fc.property(
      backtrackingText(['"', ' ', 'a', 'é', 'İ'], 20_000),
      (query) => void limitCpuTime(() => createSearchIndex().search(query, 30)),
    ),
  )
})
