import { t } from '@lingui/core/macro'
import type { RegistryEntry } from '#shared/contracts/registry.ts'
import { getOwn } from '#shared/get-own.ts'
import { translateName } from '../../../lib/text/translate-name.ts'
import type { SetupNeeds } from './setup-fields.ts'
import {
  buildGenericSteps,
  buildKeySteps,
  guides,
  type ProviderGuide,
  type GuideTarget,
  type SetupStep,
} from './setup-guides.ts'

/** The guide that the setup dialog shows. Its addresses are https, or undefined. */
export interface SetupGuide {
  setupUrl: string | undefined
  docsUrl: string | undefined
  /** what the provider calls an app, or a key, of the kind that is needed; undefined if the catalogue does not tell */
  appType: string | undefined
  steps: SetupStep[]
}

/** The integration that a guide is for. */
export interface GuideInput {
  /** without the -sandbox suffix */
  id: string
  name: string
  provider: string
  authType: string
  documentationUrl: string | undefined
  /** the entry's own steps, from a public registry: plain text */
  setupInstructions: readonly string[] | undefined
  requiredCredentials: readonly string[] | undefined
  scopes: readonly string[] | undefined
  setupUrl: string | undefined
  sandboxSetupUrl: string | undefined
  appType: string | undefined
}

/** What the guide of a catalogue entry is built from. @param ownClient set if the user registers a client at the server itself */
export const toGuideInput = (
  entry: RegistryEntry,
  { usesOAuth }: Pick<SetupNeeds, 'usesOAuth'>,
  ownClient: object | undefined,
): GuideInput => ({
  // a provider's guide is for its own app, not for one at this server
  id: ownClient ? '' : entry.id,
  name: entry.name,
  provider: ownClient ? '' : entry.provider,
  authType: usesOAuth ? 'oauth2' : entry.auth_type,
  documentationUrl: entry.setup?.docsUrl ?? entry.config.documentation_url,
  setupUrl: entry.setup?.setupUrl,
  sandboxSetupUrl: entry.setup?.sandboxSetupUrl,
  appType: entry.setup && translateName(entry.setup.appType),
  scopes: entry.oauth_config?.scopes,
  setupInstructions: entry.config.setup_instructions,
  requiredCredentials: entry.config.required_credentials,
})

/**
 * Builds the steps to connect an integration: the provider's own guide or the generic one, with the entry's own steps before the last two,
 * and a copyable step per required credential.
 */
export function buildSetupGuide(input: GuideInput, target: GuideTarget): SetupGuide {
  const guide = findGuide(input)
  const setupUrl = toHttpsUrl(
    (target.environment === 'sandbox' ? (guide?.sandbox?.setupUrl ?? input.sandboxSetupUrl) : undefined) ??
      guide?.setupUrl ??
      input.setupUrl,
  )
  const docsUrl = toHttpsUrl(guide?.docsUrl ?? input.documentationUrl)
  const context = {
    ...target,
    name: input.name,
    scopes: guide?.scopes ?? input.scopes ?? [],
    setupUrl,
    appType: input.appType ?? t`OAuth app`,
  }
  const buildSteps = guide?.buildSteps ?? (input.authType === 'oauth2' ? buildGenericSteps : buildKeySteps)
  const steps = buildSteps(context)
  const ownSteps = (input.setupInstructions ?? []).map((text) => ({
    text,
    description: t`From the documentation of ${input.name}.`,
  }))
  const credentials = (input.requiredCredentials ?? []).map((name) => ({
    text: t`Have ${{ credential: name }} ready`,
    description: t`${input.name} asks for it under this name.`,
    copy: { label: name, value: name },
  }))
  return {
    setupUrl,
    docsUrl,
    appType: input.appType,
    steps: [...steps.slice(0, -2), ...ownSteps, ...credentials, ...steps.slice(-2)],
  }
}

/**
 * Finds a guide by id, otherwise by provider, ignoring case; a guide for API keys does not fit OAuth, nor
 * the other way round.
 */
function findGuide({ id, provider, authType }: GuideInput): ProviderGuide | undefined {
  const guide = getOwn(guides, id.toLowerCase()) ?? getOwn(guides, provider.toLowerCase())
  return guide?.authType === authType ? guide : undefined
}

/** @returns the URL if it is https, otherwise undefined; entries of the catalogue may come from strangers */
function toHttpsUrl(url: string | undefined | null): string | undefined {
  if (!url || !URL.canParse(url)) return undefined
  return new URL(url).protocol === 'https:' ? url : undefined
}
