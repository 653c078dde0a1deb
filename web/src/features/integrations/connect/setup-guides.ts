import * as texts from './setup-guide-texts.ts'

/** A step of a guide. */
export interface SetupStep {
  text: string
  description: string
  /** opens in a new tab; https only */
  link?: { label: string; url: string }
  /** a value to copy, with its name for the toast */
  copy?: { label: string; value: string }
  /** whether this step contains the credential fields */
  hasFields?: boolean
}

/** The environment that a guide is built for. */
export interface GuideTarget {
  environment: 'production' | 'sandbox'
  /** {origin}/oauth/callback */
  redirectUri: string
  assistantName: string
}

/** The variables of a guide's steps. */
export interface GuideContext extends GuideTarget {
  name: string
  scopes: readonly string[]
  setupUrl: string | undefined
  appType: string
}

export interface ProviderGuide {
  authType: 'oauth2' | 'api_key'
  setupUrl: string
  docsUrl: string
  appType: string
  scopes?: readonly string[]
  /** the setup page of the sandbox, if it has its own */
  sandbox?: { setupUrl: string }
  buildSteps: (context: GuideContext) => SetupStep[]
}

const redirectStep = (description: string, { redirectUri }: GuideContext): SetupStep => ({
  text: texts.addTheRedirectURL,
  description: texts.addThisRedirectURL(description),
  copy: { label: texts.redirectURL, value: redirectUri },
})

const scopesStep = (description: string, { scopes }: GuideContext, separator = ' '): SetupStep => ({
  text: texts.giveItPermissions,
  description,
  copy: { label: texts.scopes, value: scopes.join(separator) },
})

const credentialStep = (description: string): SetupStep => ({
  text: texts.pasteTheClientID,
  description,
  hasFields: true,
})

const portalLink = (label: string, { setupUrl }: GuideContext) =>
  setupUrl === undefined ? {} : { link: { label, url: setupUrl } }

/** The providers with a guide of their own, by id or lowercased provider. */
export const guides: Readonly<Record<string, ProviderGuide>> = {
  zoom: {
    authType: 'oauth2',
    setupUrl: 'https://marketplace.zoom.us/develop/create',
    docsUrl: 'https://developers.zoom.us/docs/integrations/oauth/',
    appType: texts.generalAppOAuthUser,
    scopes: ['meeting:read:list_meetings', 'meeting:write:meeting'],
    buildSteps: (context) => [
      {
        text: texts.createAGeneralApp,
        description: texts.chooseDevelopBuildApp(context.assistantName),
        ...portalLink(texts.openTheZoomMarketplace, context),
      },
      redirectStep(texts.underBasicInformationAs, context),
      scopesStep(texts.onTheScopesPage, context),
      credentialStep(texts.itIsUnderBasic),
    ],
  },
  github: {
    authType: 'oauth2',
    setupUrl: 'https://github.com/settings/developers',
    docsUrl: 'https://docs.github.com/en/apps/oauth-apps/building-oauth-apps/authorizing-oauth-apps',
    appType: texts.oauthApp,
    scopes: ['repo'],
    buildSteps: (context) => [
      {
        text: texts.createAnOAuthApp,
        description: texts.openOAuthAppsPress(context.assistantName),
        ...portalLink(texts.openDeveloperSettings, context),
      },
      redirectStep(texts.asAuthorizationCallbackURL, context),
      {
        text: texts.makeAClientSecret,
        description: texts.registerTheAppThen,
      },
      credentialStep(texts.itIsAtThe),
    ],
  },
  gmail: {
    authType: 'oauth2',
    setupUrl: 'https://console.cloud.google.com/apis/credentials',
    docsUrl: 'https://developers.google.com/identity/protocols/oauth2/web-server',
    appType: texts.oauthClientIDType,
    scopes: ['https://www.googleapis.com/auth/gmail.readonly', 'https://www.googleapis.com/auth/gmail.send'],
    buildSteps: (context) => [
      {
        text: texts.chooseAProjectAnd,
        description: texts.createAGoogleCloud,
        link: {
          label: texts.openTheGmailAPI,
          url: 'https://console.cloud.google.com/apis/library/gmail.googleapis.com',
        },
      },
      {
        text: texts.fillInTheConsent,
        description: texts.giveItAName,
        link: {
          label: texts.openTheConsentScreen,
          url: 'https://console.cloud.google.com/apis/credentials/consent',
        },
      },
      scopesStep(texts.onTheConsentScreen, context),
      {
        text: texts.createTheClient,
        description: texts.pressCreateCredentialsOAuth,
        ...portalLink(texts.openCredentials, context),
      },
      redirectStep(texts.underAuthorisedRedirectURIs, context),
      credentialStep(texts.googleShowsItWhen),
    ],
  },
  salesforce: {
    authType: 'oauth2',
    setupUrl: 'https://login.salesforce.com/lightning/setup/ManageExternalClientApplication/home',
    docsUrl: 'https://help.salesforce.com/s/articleView?id=xcloud.external_client_apps.htm',
    appType: texts.externalClientApp,
    scopes: ['api', 'refresh_token'],
    sandbox: { setupUrl: 'https://test.salesforce.com/lightning/setup/ManageExternalClientApplication/home' },
    buildSteps: (context) => [
      {
        text: texts.createAnExternalClient,
        description:
          context.environment === 'sandbox'
            ? texts.signInToThe
            : texts.openTheExternalClient(context.assistantName),
        ...portalLink(texts.openSetup, context),
      },
      redirectStep(texts.enableOAuthAndAs, context),
      scopesStep(texts.addTheseScopesLeave, context),
      credentialStep(texts.salesforceCallsItConsumer),
    ],
  },
  slack: {
    authType: 'oauth2',
    setupUrl: 'https://api.slack.com/apps',
    docsUrl: 'https://docs.slack.dev/authentication/installing-with-oauth',
    appType: texts.slackAppOAuthV2,
    scopes: ['channels:read', 'channels:history', 'chat:write', 'users:read'],
    buildSteps: (context) => [
      {
        text: texts.createAnApp,
        description: texts.inThePortalChoose(context.assistantName),
        ...portalLink(texts.openYourApps, context),
      },
      redirectStep(texts.underOAuthPermissions, context),
      scopesStep(texts.onTheSamePage, context, ','),
      {
        text: texts.inviteItToChannels,
        description: texts.installTheAppIn,
      },
      credentialStep(texts.itIsUnderBasicInformation),
    ],
  },
  stripe: {
    authType: 'api_key',
    setupUrl: 'https://dashboard.stripe.com/apikeys',
    docsUrl: 'https://docs.stripe.com/keys',
    appType: texts.restrictedAPIKey,
    sandbox: { setupUrl: 'https://dashboard.stripe.com/test/apikeys' },
    // API keys need no redirect step
    buildSteps: (context) => [
      {
        text: texts.createARestrictedKey,
        description: context.environment === 'sandbox' ? texts.switchToTestMode : texts.openDevelopersAPIKeys,
        ...portalLink(texts.openAPIKeys, context),
      },
      {
        text: texts.giveItPermissions,
        description: texts.readForPaymentIntentsAnd,
      },
      {
        text: texts.pasteTheKey,
        description: context.environment === 'sandbox' ? texts.aTestKeyBegins : texts.stripeShowsALive,
        hasFields: true,
      },
    ],
  },
  hubspot: {
    authType: 'oauth2',
    setupUrl: 'https://app.hubspot.com/developer',
    docsUrl: 'https://developers.hubspot.com/docs/api-reference/latest/authentication/manage-oauth-tokens',
    appType: texts.publicAppWithOAuth,
    scopes: ['oauth', 'crm.objects.contacts.read', 'crm.objects.deals.read'],
    buildSteps: (context) => [
      {
        text: texts.createAnApp,
        description: texts.inADeveloperAccount(context.assistantName),
        ...portalLink(texts.openYourDeveloperAccount, context),
      },
      redirectStep(texts.onTheAuthTab, context),
      scopesStep(texts.onTheSameTab, context),
      credentialStep(texts.itIsOnThe),
    ],
  },
}

/** The steps for an OAuth app of a provider without a guide. */
export function buildGenericSteps({
  name,
  appType,
  assistantName,
  redirectUri,
  scopes,
  setupUrl,
}: GuideContext): SetupStep[] {
  return [
    {
      text: texts.createAnApp,
      description: texts.inTheDeveloperSettings(name, appType, assistantName),
      ...(setupUrl !== undefined && { link: { label: texts.openTheSettings, url: setupUrl } }),
    },
    {
      text: texts.addTheRedirectURL,
      description: texts.addThisRedirectURLTo,
      copy: { label: texts.redirectURL, value: redirectUri },
    },
    scopes.length > 0
      ? {
          text: texts.giveItPermissions,
          description: texts.addTheseScopesAnd,
          copy: { label: texts.scopes, value: scopes.join(' ') },
        }
      : { text: texts.giveItPermissions, description: texts.chooseWhatTheApp },
    {
      text: texts.pasteTheClientID,
      description: texts.showsItWithThe(name),
      hasFields: true,
    },
  ]
}

/** The steps for an API key. */
export function buildKeySteps({ name, setupUrl }: GuideContext): SetupStep[] {
  return [
    {
      text: texts.getYourKey,
      description: texts.inTheSettingsOf(name),
      ...(setupUrl !== undefined && { link: { label: texts.openTheSettings, url: setupUrl } }),
    },
    {
      text: texts.pasteItHere,
      description: texts.itIsStoredEncrypted(name),
      hasFields: true,
    },
  ]
}
