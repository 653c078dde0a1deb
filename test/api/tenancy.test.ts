import { beforeAll, describe, expect, it } from 'vitest'
import { type RouteName, routePath, routes } from '#shared/routes.ts'
import { startTestPool } from '../support/cognito-pool.ts'
import {
  canaryFor,
  type Identifiers,
  inventIdentifiers,
  notes,
  createBelongings,
} from '../support/belongings.ts'
import { hashStoredData } from '../support/every-store.ts'
import '../support/expect-refusal.ts'
import { forgedTokens } from '../support/forged-tokens.ts'
import { firstOfNine } from '../support/matrix.ts'
import { type RequestParts, listRequestsWithIds } from '../support/requests-with-ids.ts'
import { sendRaw } from '../support/raw-http.ts'
import { demoStack } from '../support/shared-stack.ts'
import { openStackTable } from '../support/stack-table.ts'
import type { StackUser } from '../support/stack-user.ts'
import { postFile, presign, uploadFile } from '../support/upload.ts'

const allRoutes = Object.keys(routes) as RouteName[]
const userRoutes = allRoutes.filter((name) => ['user', 'admin'].includes(routes[name].access))
const adminRoutes = allRoutes.filter((name) => routes[name].access === 'admin')

const stack = await demoStack()
const printedBefore = stack.output().length
let ann: StackUser
let bob: StackUser
let identifiers: Identifiers
let hashesBefore: Record<string, string>
/** the responses by route: for ids that do not exist, and for Ann's */
let responsesToUnknown: Map<RouteName, ApiResponse[]>
let responsesToAnns: Map<RouteName, ApiResponse[]>

interface ApiResponse {
  status: number
  /** headers and body, to search for forbidden content */
  whole: string
  /** the body without the parts that differ in each call */
  withoutNames: string
}

beforeAll(async () => {
  const [cleo, own] = await Promise.all([stack.newUser(), stack.newUser()])
  ;[ann, bob] = await Promise.all([stack.newUser(), stack.newUser()])
  const { url = '' } = await uploadFile(own, notes)
  const inventedIdentifiers = inventIdentifiers(url)
  responsesToUnknown = await askAll(cleo, inventedIdentifiers)
  identifiers = await createBelongings(stack, ann)
  hashesBefore = await hashStoredData(stack, [ann.sub, canaryFor(ann)])
  responsesToAnns = await askAll(bob, identifiers)
})

const toOptions = ({ body, ...parts }: RequestParts) => ({ ...parts, ...(body !== undefined && { body }) })

/** One user's requests with these ids, in the same order each time. */
async function askAll(user: StackUser, ids: Identifiers): Promise<Map<RouteName, ApiResponse[]>> {
  const responses = new Map<RouteName, ApiResponse[]>()
  const requests = Object.entries(listRequestsWithIds(ids, stack.origin)) as [RouteName, RequestParts[]][]
  const known = [...Object.values(ids), user.sub, user.email].filter((text) => text.length > 5)
  for (const [name, all] of requests) {
    const routeResponses: ApiResponse[] = []
    for (const request of all) {
      const { status, headers, body } = await user.send(name, toOptions(request))
      const text = typeof body === 'string' ? body : JSON.stringify(body)
      routeResponses.push({
        status,
        whole: `${JSON.stringify([...headers])} ${text}`,
        withoutNames: removeNames(text, known),
      })
    }
    responses.set(name, routeResponses)
  }
  return responses
}

function removeNames(text: string, known: readonly string[]): string {
  const unnamed = known.reduce((left, one) => left.replaceAll(one, '(name)'), text)
  return unnamed
    .replaceAll(/https?:[^"\\]+/g, '(address)')
    .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '(id)')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z|\d{8}T\d{6}Z/g, '(time)')
    .replaceAll(/"(Policy|X-Amz-Signature)":"[^"]+"/g, '(signed)')
}

it('every route has requests that name another user’s data', () => {
  expect([...responsesToAnns.keys()].toSorted()).toEqual(allRoutes.toSorted())
  for (const [name, responses] of responsesToAnns)
    expect({ name, asked: responses.length > 0 }).toEqual({ name, asked: true })
  // every path parameter is covered
  for (const [name, all] of Object.entries(listRequestsWithIds(identifiers, stack.origin)))
    for (const { params = {} } of all)
      expect(routePath(name as RouteName, params as never)).not.toMatch(/\/\/|\/$/)
})

describe('DEC-100 HIST-25 DATA-40 another user’s data', () => {
  it.each(allRoutes)('%s returns the same as for an id that does not exist', (name) => {
    const responses = responsesToAnns.get(name) ?? []
    for (const { whole } of responses)
      for (const secret of [canaryFor(ann), ann.email, identifiers.backupCode])
        expect(whole.includes(secret)).toBe(false)
    // exports contain times and checksums
    if (name === 'account.export') return
    expect(responses.map(({ status, withoutNames }) => ({ status, withoutNames }))).toEqual(
      (responsesToUnknown.get(name) ?? []).map(({ status, withoutNames }) => ({ status, withoutNames })),
    )
  })

  it('is unchanged, byte for byte: rows, secrets and objects', async () => {
    expect(Object.keys(hashesBefore).length).toBeGreaterThan(30)
    for (const store of ['row U#', 'secret ', 'objects/'])
      expect(Object.keys(hashesBefore).join('\n')).toContain(store)
    expect(await hashStoredData(stack, [ann.sub, canaryFor(ann)])).toEqual(hashesBefore)
  })

  it('is nowhere in the other user’s data', async () => {
    const table = await openStackTable(stack)
    const rows = JSON.stringify(await table.readRows(bob.sub))
    table.close()
    for (const text of [canaryFor(ann), ann.sub]) expect(rows).not.toContain(text)
  })
})

describe('signed links', () => {
  const expectRefused = async (url: URL, init: RequestInit = {}) => {
    const response = await fetch(url, init)
    expect({ url: url.href, method: init.method, refused: response.status >= 400 }).toMatchObject({
      refused: true,
    })
    expect(await response.text()).not.toContain(canaryFor(ann))
  }
  const changeFileUrl = (change: (url: URL) => void) => {
    const url = new URL(identifiers.fileUrl)
    change(url)
    return url
  }

  it('control: the link itself works', async () => {
    expect(await (await fetch(identifiers.fileUrl)).text()).toBe(canaryFor(ann))
  })

  it('are bound to key, method, time and headers', async () => {
    expect(new URL(identifiers.fileUrl).searchParams.size).toBeGreaterThan(5)
    const eve = await stack.newUser()
    const own = await uploadFile(eve, notes)
    const { pathname } = new URL(own.url ?? '')
    // another’s signature with one’s own key, and vice versa
    await expectRefused(changeFileUrl((url) => (url.pathname = pathname)))
    const withAnnsKey = new URL(own.url ?? '')
    withAnnsKey.pathname = new URL(identifiers.fileUrl).pathname
    await expectRefused(withAnnsKey)
    for (const [parameter] of new URL(identifiers.fileUrl).searchParams) {
      await expectRefused(changeFileUrl((url) => url.searchParams.delete(parameter)))
      await expectRefused(
        changeFileUrl((url) => url.searchParams.set(parameter, `${url.searchParams.get(parameter)}1`)),
      )
    }
    await expectRefused(changeFileUrl((url) => url.searchParams.set('X-Amz-Expires', '604800')))
    await expectRefused(changeFileUrl((url) => (url.search = '')))
    for (const suffix of ['/', '/x', '%00', '%2F..%2Foriginal'])
      await expectRefused(changeFileUrl((url) => (url.pathname += suffix)))
    for (const method of ['PUT', 'POST', 'DELETE', 'PATCH'])
      await expectRefused(new URL(identifiers.fileUrl), {
        method,
        ...(method !== 'DELETE' && { body: 'taken over' }),
      })
  })

  it('an upload form works for its own key only, and listing is refused', async () => {
    const eve = await stack.newUser()
    const { upload } = await presign(eve, notes)
    const key = new URL(identifiers.fileUrl).pathname.split('/users/')[1] ?? ''
    const annsKey = upload.fields['key']?.replace(eve.sub, ann.sub) ?? ''
    expect(annsKey).toContain(ann.sub)
    for (const target of [`users/${key}`, annsKey, '../x']) {
      const fields = { ...upload.fields, key: target }
      const refused = await postFile({ ...upload, fields }, Buffer.from(notes.content))
      expect(refused.status).toBeGreaterThanOrEqual(400)
    }
    const { origin, pathname } = new URL(upload.url)
    for (const path of ['/', pathname, `${pathname}?list-type=2&prefix=users/`])
      await expectRefused(new URL(path, origin))
    expect(await (await fetch(identifiers.fileUrl)).text()).toBe(canaryFor(ann))
  })
})

describe('CHAT-52 DEC-106 callers who are not signed in', () => {
  let goodToken: string
  let badTokens: Record<string, string>
  let erasedToken: string
  beforeAll(async () => {
    const forged = await forgedTokens(stack.dataDir, ann.accessToken)
    const foreign = await startTestPool()
    try {
      const { tokens } = await foreign.signIn(await foreign.newUser())
      const [signedOutUser, erasedUser] = await Promise.all([stack.newUser(), stack.newUser()])
      await signedOutUser.call('account.signOutEverywhere')
      await erasedUser.call('account.erase', { body: { confirm: 'DELETE' } })
      goodToken = forged.good
      erasedToken = erasedUser.accessToken
      badTokens = {
        ...forged.bad,
        'of another pool': tokens.access,
        'for the page (ID token)': ann.idToken,
        'signed out everywhere': signedOutUser.accessToken,
        'of an erased account': erasedUser.accessToken,
        garbage: 'garbage',
        'three parts': 'a.b.c',
      }
    } finally {
      await foreign.remove()
    }
  })

  function ask(name: RouteName, headers: Record<string, string>, body?: string) {
    const [request = {}] = listRequestsWithIds(identifiers, stack.origin)[name]
    const sent = body ?? (request.body === undefined ? undefined : JSON.stringify(request.body))
    return sendRaw(stack.origin, {
      method: routes[name].method,
      path: routePath(name, (request.params ?? {}) as never),
      headers: { accept: name === 'runs.events' ? 'text/event-stream' : 'application/json', ...headers },
      ...(sent !== undefined && { body: sent }),
    })
  }

  it('control: a token signed with the pool’s own key is accepted, so the others fail for their own reason', async () => {
    expect((await ask('sessions.list', { authorization: `Bearer ${goodToken}` })).text).toContain(
      identifiers.sessionId,
    )
    expect(Object.keys(badTokens)).toHaveLength(18)
  })

  it('only the health check, shared conversations and the notice of the site are public, and only a check of codes needs no sign-in', () => {
    const others = allRoutes.filter((name) => !userRoutes.includes(name))
    expect(others.toSorted()).toEqual(['health', 'mfa.verify', 'shares.view', 'site.read'])
  })

  it.each(adminRoutes)('DEC-188 %s is for administrators only', (name) => {
    for (const { status, whole } of responsesToAnns.get(name) ?? []) {
      expect(status).toBe(403)
      expect(whole).toContain('"code":"not_admin"')
    }
  })

  it.each(userRoutes)('%s refuses callers without a token', async (name) => {
    const none = {
      'no header': {},
      'an empty header': { authorization: '' },
      'another scheme': { authorization: 'Basic YW5uOnNlY3JldA==' },
      'no token': { authorization: 'Bearer ' },
      'two tokens': { authorization: `Bearer a ${goodToken}` },
      'a cookie': { cookie: `access_token=${goodToken}` },
    }
    await Promise.all(
      Object.entries(none).map(async ([about, headers]) => {
        const response = await ask(name, headers)
        expect(response).toRefuse({ status: 401, code: 'not_signed_in', about })
        expect(response.headers['www-authenticate']).toBe('Bearer')
      }),
    )
  })

  const routesWithToken = [...userRoutes, 'mfa.verify'] as RouteName[]
  for (const [index, name] of routesWithToken.entries())
    it(`${name} refuses every foreign token`, firstOfNine(index), async () => {
      // an interrupted erasure can be finished
      const refused = Object.entries(badTokens).filter(
        ([, token]) => name !== 'account.erase' || token !== erasedToken,
      )
      await Promise.all(
        refused.map(async ([kind, token]) => {
          const response = await ask(name, { authorization: `Bearer ${token}` })
          expect(response).toRefuse({ status: 401, code: 'invalid_token', about: kind })
          expect(response.headers['www-authenticate']).toBe('Bearer')
        }),
      )
      // the body of a stranger is not even read
      expect(await ask(name, { authorization: 'Bearer garbage' }, '['.repeat(100_000))).toRefuse({
        status: 401,
        code: 'invalid_token',
      })
    })

  it('refused requests left nothing behind', async () => {
    expect(await hashStoredData(stack, [ann.sub, canaryFor(ann)])).toMatchObject(withoutBudgets(hashesBefore))
    expect(stack.output().slice(printedBefore)).not.toMatch(/unhandled|failed/)
  })
})

/** A user's own calls are counted. */
const withoutBudgets = (hashes: Record<string, string>) =>
  Object.fromEntries(Object.entries(hashes).filter(([store]) => !store.startsWith('row RATE#')))

describe('control', () => {
  /**
   * Routes whose identifiers find nothing for their owner either: an entry of the catalogue is nobody’s, a tool without a server has no answer, and a
   * snapshot is found by its link's secret only; no reply of hers waits for a task
   */
  const unknownToOwner: RouteName[] = [
    'registry.one',
    'integrations.connect',
    'customTools.test',
    'apps.open',
    'apps.call',
    'shares.view',
    'runs.checkTask',
    'speech.transcribe',
    // her files have no tables
    'documents.query',
  ]
  const lastRoutes: RouteName[] = [
    'runs.stop',
    'credentials.manage',
    'files.delete',
    'sessions.deleteTurn',
    'sessions.delete',
    'integrations.disconnect',
    'mfa.setup',
    'customTools.remove',
    'account.erase',
    'account.signOutEverywhere',
  ]

  it('every identifier is found by its owner’s requests', async () => {
    const refusedToOthers = allRoutes.filter((name) =>
      responsesToAnns.get(name)?.every(({ status }) => status >= 400),
    )
    expect(refusedToOthers.length).toBeGreaterThan(15)
    const routesToTry = refusedToOthers
      .filter((name) => !unknownToOwner.includes(name) && !adminRoutes.includes(name))
      .toSorted((a, b) => lastRoutes.indexOf(a) - lastRoutes.indexOf(b))
    for (const name of routesToTry) {
      const found: number[] = []
      for (const request of listRequestsWithIds(identifiers, stack.origin)[name])
        found.push((await ann.send(name, toOptions(request))).status)
      expect({ name, found: found.some((status) => status < 300), statuses: found }).toMatchObject({
        found: true,
      })
    }
  })
})
