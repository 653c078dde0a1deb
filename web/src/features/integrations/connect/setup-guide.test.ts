import { describe, expect, it } from 'vitest'
import builtIn from 'virtual:built-in-catalogue'
import { buildSetupGuide, toGuideInput, type GuideInput } from './setup-guide.ts'

const redirectUri = 'https://juno.example/oauth/callback'
const liveOptions = { environment: 'production', redirectUri, assistantName: 'Ada' } as const
const createInput = (changes: Partial<GuideInput>): GuideInput => ({
  id: 'acme',
  name: 'Acme',
  provider: 'Acme Inc',
  authType: 'oauth2',
  documentationUrl: undefined,
  setupInstructions: undefined,
  requiredCredentials: undefined,
  scopes: undefined,
  setupUrl: undefined,
  sandboxSetupUrl: undefined,
  appType: undefined,
  ...changes,
})
const buildSteps = (changes: Partial<GuideInput>, environment: 'production' | 'sandbox' = 'production') =>
  buildSetupGuide(createInput(changes), { ...liveOptions, environment }).steps

describe('a guide', () => {
  it.each([
    ['SETUP-26', 'zoom', 'Create a general app'],
    ['SETUP-27', 'github', 'Create an OAuth app'],
    ['SETUP-28', 'gmail', 'Choose a project and enable the Gmail API'],
    ['SETUP-29', 'salesforce', 'Create an external client app'],
    ['SETUP-30', 'slack', 'Create an app'],
    ['SETUP-32', 'hubspot', 'Create an app'],
  ])('%s SETUP-25 for %s begins with “%s”', (_, id, text) => {
    const guide = buildSetupGuide(createInput({ id }), liveOptions)
    expect(guide.steps[0]?.text).toBe(text)
    expect([guide.setupUrl, guide.docsUrl]).toEqual([
      expect.stringMatching(/^https:/),
      expect.stringMatching(/^https:/),
    ])
    expect(guide.steps.filter((step) => step.hasFields)).toHaveLength(1)
    expect(guide.steps.at(-1)?.hasFields).toBe(true)
    expect(guide.steps.map((step) => step.copy?.value)).toContain(redirectUri)
    expect(guide.steps.every((step) => step.text && step.description)).toBe(true)
  })

  it.each([
    ['zoom', 'General app (OAuth), user-managed'],
    ['github', 'OAuth app'],
    ['gmail', 'OAuth client ID, type Web application'],
    ['salesforce', 'External Client App'],
    ['slack', 'Slack app (OAuth v2)'],
  ])('SETUP-25 for %s names the kind of app: %s', (id, appType) => {
    const entry = builtIn.find((one) => one.id === id)
    const input = entry && toGuideInput(entry, { usesOAuth: true }, undefined)
    expect(input && buildSetupGuide(input, liveOptions).appType).toBe(appType)
  })

  const listScopes = (id: string) =>
    buildSteps({ id })
      .find(({ copy }) => copy?.label === 'Scopes')
      ?.copy?.value.split(/[ ,]/)

  it.each(['zoom', 'gmail', 'salesforce', 'slack', 'hubspot'])(
    'SETUP-25 for %s lists the scopes that the sign-in requests',
    (id) => {
      const requestedScopes = builtIn.find((entry) => entry.id === id)?.oauth_config?.scopes
      expect(requestedScopes?.length).toBeGreaterThan(0)
      expect(listScopes(id)?.toSorted()).toEqual(requestedScopes?.toSorted())
    },
  )

  it('SETUP-26 lists the granular scopes of zoom, which new apps have', () => {
    expect(listScopes('zoom')).toEqual(['meeting:read:list_meetings', 'meeting:write:meeting'])
  })

  it('SETUP-33 names what the provider calls an app', () => {
    const [own, fallback] = [{ appType: 'Connected App' }, {}].map(
      (input) => buildSteps(input)[0]?.description,
    )
    expect(own).toContain('register an app (Connected App)')
    expect(fallback).toContain('register an app (OAuth app)')
  })

  it('DEC-071 matches the provider case-insensitively', () => {
    const guide = buildSetupGuide(createInput({ id: 'meetings', provider: 'ZOOM' }), liveOptions)
    expect(guide).toEqual(buildSetupGuide(createInput({ id: 'zoom' }), liveOptions))
  })

  it('SETUP-29 links to another salesforce address for the sandbox', () => {
    const getSetupUrl = (environment: 'production' | 'sandbox') =>
      buildSetupGuide(createInput({ id: 'salesforce' }), { ...liveOptions, environment }).setupUrl
    expect(getSetupUrl('production')).toContain('login.salesforce.com')
    expect(getSetupUrl('sandbox')).toContain('test.salesforce.com')
  })

  it('SETUP-33 links to the sandbox setup URL of the entry', () => {
    const pages = { setupUrl: 'https://acme.example/live', sandboxSetupUrl: 'https://acme.example/sandbox' }
    const getSetupUrl = (environment: 'production' | 'sandbox') =>
      buildSetupGuide(createInput(pages), { ...liveOptions, environment }).setupUrl
    expect([getSetupUrl('production'), getSetupUrl('sandbox')]).toEqual([
      pages.setupUrl,
      pages.sandboxSetupUrl,
    ])
  })

  it('SETUP-31 DEC-058 for stripe asks for a key and has no redirect step', () => {
    const steps = buildSteps({ id: 'stripe', authType: 'api_key' })
    expect(JSON.stringify(steps)).not.toContain('/oauth/callback')
    expect(steps.at(-1)?.text).toBe('Paste the key')
  })

  it('SETUP-33 is the generic guide for all other providers', () => {
    const steps = buildSteps({ setupUrl: 'https://acme.example/apps', scopes: ['a', 'b'] })
    expect(steps.map((step) => step.text)).toEqual([
      'Create an app',
      'Add the redirect URL',
      'Give it permissions',
      'Paste the client ID',
    ])
    expect(steps[0]?.link?.url).toBe('https://acme.example/apps')
    expect(steps[1]?.copy?.value).toBe(redirectUri)
    expect(steps[2]?.copy?.value).toBe('a b')
  })

  it('SETUP-34 SETUP-35 inserts the entry’s own steps and each credential before the last two steps', () => {
    const steps = buildSteps({
      setupInstructions: ['npm install acme', '<b>then</b> run it'],
      requiredCredentials: ['ACME_API_KEY', 'ACME_TEAM_ID'],
    })
    expect(steps.map((step) => step.text)).toEqual([
      'Create an app',
      'Add the redirect URL',
      'npm install acme',
      '<b>then</b> run it',
      'Have ACME_API_KEY ready',
      'Have ACME_TEAM_ID ready',
      'Give it permissions',
      'Paste the client ID',
    ])
    expect(steps[4]?.copy).toEqual({ label: 'ACME_API_KEY', value: 'ACME_API_KEY' })
  })

  it('DEC-069 ignores URLs that are not https', () => {
    const guide = buildSetupGuide(
      createInput({ documentationUrl: 'javascript:alert(1)', setupUrl: 'http://acme.example' }),
      liveOptions,
    )
    expect(guide.docsUrl).toBeUndefined()
    expect(guide.setupUrl).toBeUndefined()
    expect(guide.steps.some((step) => step.link)).toBe(false)
  })
})
