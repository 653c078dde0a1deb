import { guides, type GuideContext, type GuideData, type GuidePlace, type SetupStep } from './setup-guides.ts'

export interface SetupGuide {
  setupUrl: string | undefined
  docsUrl: string | undefined
  appType: string
  instructions: SetupStep[]
  scopes: readonly string[]
}

/** What a guide is made for. */
export interface GuideSubject {
  /** without the -sandbox suffix */
  id: string
  name: string
  provider: string
  authType: string
  documentationUrl?: string | undefined
  /** the entry's own steps, from a public repository: plain text (DEC-069) */
  setupInstructions?: readonly string[] | undefined
  requiredCredentials?: readonly string[] | undefined
  scopes?: readonly string[] | undefined
  setupUrl?: string | undefined
  appType?: string | undefined
}

/**
 * The steps to connect one integration: the provider's own guide where there is one (DEC-071), else the generic one; then the
 * entry's own steps before the last two (SETUP-34), and a copyable step per required credential (SETUP-35).
 */
export function setupGuide(subject: GuideSubject, place: GuidePlace): SetupGuide {
  const data = guideOf(subject)
  const scopes = data?.scopes ?? subject.scopes ?? []
  const setupUrl = httpsOnly(
    (place.environment === 'sandbox' ? data?.sandbox?.setupUrl : undefined) ??
      data?.setupUrl ??
      subject.setupUrl,
  )
  const docsUrl = httpsOnly(data?.docsUrl ?? subject.documentationUrl)
  const context = {
    ...place,
    name: subject.name,
    scopes,
    setupUrl,
    appType: data?.appType ?? subject.appType ?? 'OAuth app',
  }
  const steps = data
    ? data.steps(context)
    : subject.authType !== 'oauth2'
      ? keySteps(context)
      : genericSteps(context)
  const own = (subject.setupInstructions ?? []).map((text) => ({
    text,
    description: `From the documentation of ${subject.name}.`,
  }))
  const credentials = (subject.requiredCredentials ?? []).map((name) => ({
    text: `Have ${name} ready`,
    description: `${subject.name} asks for it under this name.`,
    copy: { label: name, value: name },
  }))
  return {
    setupUrl,
    docsUrl,
    appType: context.appType,
    instructions: [...steps.slice(0, -2), ...own, ...credentials, ...steps.slice(-2)],
    scopes,
  }
}

/** DEC-071: by id, else by provider, letter case ignored; a guide for keys is of no use to OAuth, nor the other way round. */
function guideOf({ id, provider, authType }: GuideSubject): GuideData | undefined {
  const guide = guides[id.toLowerCase()] ?? guides[provider.toLowerCase()]
  return guide?.authType === authType ? guide : undefined
}

/** SETUP-33 */
function genericSteps({
  name,
  appType,
  assistantName,
  redirectUri,
  scopes,
  setupUrl,
}: GuideContext): SetupStep[] {
  return [
    {
      text: 'Create an app',
      description: `In the developer settings of ${name}, register an app (${appType}) and call it ${assistantName}.`,
      ...(setupUrl !== undefined && { link: { label: 'Open the settings', url: setupUrl } }),
    },
    {
      text: 'Allow the way back',
      description: 'Add this redirect URL to the app, exactly as it stands here.',
      copy: { label: 'Redirect URL', value: redirectUri },
    },
    scopes.length > 0
      ? {
          text: 'Give it permissions',
          description: 'Add these scopes, and no more than you want to share.',
          copy: { label: 'Scopes', value: scopes.join(' ') },
        }
      : { text: 'Give it permissions', description: 'Choose what the app may read and write, and save.' },
    {
      text: 'Bring the Client ID here',
      description: `${name} shows it with the app you made.`,
      clientId: true,
    },
  ]
}

/** DEC-056: a provider whose key one brings. */
function keySteps({ name, setupUrl }: GuideContext): SetupStep[] {
  return [
    {
      text: 'Get your key',
      description: `In the settings of ${name}, create an API key or a token with only the permissions you want to share.`,
      ...(setupUrl !== undefined && { link: { label: 'Open the settings', url: setupUrl } }),
    },
    {
      text: 'Bring it here',
      description: `It is kept sealed, and used only for what you ask of ${name}.`,
      clientId: true,
    },
  ]
}

/** DEC-069: addresses from the catalogue are links only when they are https. */
export function httpsOnly(url: string | undefined | null): string | undefined {
  if (!url || !URL.canParse(url)) return undefined
  return new URL(url).protocol === 'https:' ? url : undefined
}
