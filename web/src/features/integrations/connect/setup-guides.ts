import { t } from '@lingui/core/macro'

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
  /** what the provider calls an app of this kind */
  appType: string
}

/** How to register an app, or make a key, at one provider. */
export interface ProviderGuide {
  authType: 'oauth2' | 'api_key'
  setupUrl: string
  docsUrl: string
  /** shown by `scopesStep`, and requested by the sign-in */
  scopes?: readonly string[]
  /** the setup page of the sandbox, if it has its own */
  sandbox?: { setupUrl: string }
  buildSteps: (context: GuideContext) => SetupStep[]
}

const redirectStep = (description: string, { redirectUri }: GuideContext): SetupStep => ({
  text: t`Add the redirect URL`,
  description: t`${description}, add this redirect URL, exactly as shown here, and save.`,
  copy: { label: t`Redirect URL`, value: redirectUri },
})

const scopesStep = (description: string, { scopes }: GuideContext, separator = ' '): SetupStep => ({
  text: t`Give it permissions`,
  description,
  copy: { label: t`Scopes`, value: scopes.join(separator) },
})

const credentialStep = (description: string): SetupStep => ({
  text: t`Paste the client ID`,
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
    scopes: ['meeting:read:list_meetings', 'meeting:write:meeting'],
    buildSteps: (context) => [
      {
        text: t`Create a general app`,
        description: t`Choose Develop, Build App, General App, and manage it as a user. Call it ${context.assistantName}.`,
        ...portalLink(t`Open the Zoom Marketplace`, context),
      },
      redirectStep(t`Under “Basic Information”, as OAuth redirect URL and in the allow list`, context),
      scopesStep(t`On the Scopes page, add these.`, context),
      credentialStep(
        t`It is under “Basic Information”. Development and production have different ones: take the pair that is active.`,
      ),
    ],
  },
  github: {
    authType: 'oauth2',
    setupUrl: 'https://github.com/settings/developers',
    docsUrl: 'https://docs.github.com/en/apps/oauth-apps/building-oauth-apps/authorizing-oauth-apps',
    buildSteps: (context) => [
      {
        text: t`Create an OAuth app`,
        description: t`Open “OAuth Apps”, press “New OAuth App” and call it ${context.assistantName}. Any home page will do.`,
        ...portalLink(t`Open developer settings`, context),
      },
      redirectStep(t`As “Authorization callback URL”`, context),
      {
        text: t`Make a client secret`,
        description: t`Register the app, then press “Generate a new client secret”. GitHub shows it once.`,
      },
      credentialStep(t`It is at the top of the app’s page.`),
    ],
  },
  gmail: {
    authType: 'oauth2',
    setupUrl: 'https://console.cloud.google.com/apis/credentials',
    docsUrl: 'https://developers.google.com/identity/protocols/oauth2/web-server',
    scopes: ['https://www.googleapis.com/auth/gmail.readonly', 'https://www.googleapis.com/auth/gmail.send'],
    buildSteps: (context) => [
      {
        text: t`Choose a project and enable the Gmail API`,
        description: t`Create a Google Cloud project or take one you have, then press “Enable” on the Gmail API.`,
        link: {
          label: t`Open the Gmail API`,
          url: 'https://console.cloud.google.com/apis/library/gmail.googleapis.com',
        },
      },
      {
        text: t`Fill in the consent screen`,
        description: t`Give it a name and your address, and publish it to production: in testing, Google ends a connection after 7 days, and only test users can connect.`,
        link: {
          label: t`Open the consent screen`,
          url: 'https://console.cloud.google.com/apis/credentials/consent',
        },
      },
      scopesStep(t`On the consent screen, add these scopes.`, context),
      {
        text: t`Create the client`,
        description: t`Press “Create credentials”, “OAuth client ID”, and choose “Web application”.`,
        ...portalLink(t`Open credentials`, context),
      },
      redirectStep(t`Under “Authorised redirect URIs”`, context),
      credentialStep(t`Google shows it when the client is created. It ends in .apps.googleusercontent.com.`),
    ],
  },
  salesforce: {
    authType: 'oauth2',
    setupUrl: 'https://login.salesforce.com/lightning/setup/ManageExternalClientApplication/home',
    docsUrl: 'https://help.salesforce.com/s/articleView?id=xcloud.external_client_apps.htm',
    scopes: ['api', 'refresh_token'],
    sandbox: { setupUrl: 'https://test.salesforce.com/lightning/setup/ManageExternalClientApplication/home' },
    buildSteps: (context) => [
      {
        text: t`Create an external client app`,
        description:
          context.environment === 'sandbox'
            ? t`Sign in to the sandbox itself, at test.salesforce.com: an app of the live organisation does not work there.`
            : t`Open the External Client App Manager, press “New” and call the app ${context.assistantName}.`,
        ...portalLink(t`Open Setup`, context),
      },
      redirectStep(t`Enable OAuth, and as “Callback URL”`, context),
      scopesStep(t`Add these scopes; leave “Require PKCE” on.`, context),
      credentialStep(t`Salesforce calls it “Consumer Key”. A new app may need ten minutes before it works.`),
    ],
  },
  slack: {
    authType: 'oauth2',
    setupUrl: 'https://api.slack.com/apps',
    docsUrl: 'https://docs.slack.dev/authentication/installing-with-oauth',
    scopes: ['channels:read', 'channels:history', 'chat:write', 'users:read'],
    buildSteps: (context) => [
      {
        text: t`Create an app`,
        description: t`In the portal choose “From scratch”, name it ${context.assistantName} and pick your workspace.`,
        ...portalLink(t`Open your apps`, context),
      },
      redirectStep(t`Under “OAuth & Permissions”`, context),
      scopesStep(t`On the same page, add these scopes.`, context, ','),
      {
        text: t`Invite it to channels`,
        description: t`Install the app. In each channel that it may read and write, type /invite @ and its name.`,
      },
      credentialStep(t`It is under “Basic Information”, a number with a dot in it.`),
    ],
  },
  stripe: {
    authType: 'api_key',
    setupUrl: 'https://dashboard.stripe.com/apikeys',
    docsUrl: 'https://docs.stripe.com/keys',
    sandbox: { setupUrl: 'https://dashboard.stripe.com/test/apikeys' },
    // API keys need no redirect step
    buildSteps: (context) => [
      {
        text: t`Create a restricted key`,
        description:
          context.environment === 'sandbox'
            ? t`Switch to test mode or to your sandbox, open Developers, “API keys”, and press “Create restricted key”.`
            : t`Open Developers, “API keys”, and press “Create restricted key”.`,
        ...portalLink(t`Open API keys`, context),
      },
      {
        text: t`Give it permissions`,
        description: t`Read for PaymentIntents and Customers; write for Customers only if it may add some.`,
      },
      {
        text: t`Paste the key`,
        description:
          context.environment === 'sandbox'
            ? t`A test key begins with rk_test_ or sk_test_. No money moves.`
            : t`Stripe shows a live key once. It begins with rk_live_ or sk_live_.`,
        hasFields: true,
      },
    ],
  },
  hubspot: {
    authType: 'oauth2',
    setupUrl: 'https://app.hubspot.com/developer',
    docsUrl: 'https://developers.hubspot.com/docs/api-reference/latest/authentication/manage-oauth-tokens',
    scopes: ['oauth', 'crm.objects.contacts.read', 'crm.objects.deals.read'],
    buildSteps: (context) => [
      {
        text: t`Create an app`,
        description: t`In a developer account, create an app with OAuth and call it ${context.assistantName}.`,
        ...portalLink(t`Open your developer account`, context),
      },
      redirectStep(t`On the “Auth” tab`, context),
      scopesStep(t`On the same tab, choose exactly these scopes.`, context),
      credentialStep(t`It is on the “Auth” tab, next to the client secret.`),
    ],
  },
}

/** The steps for an OAuth app of a provider without a guide. */
export function buildGenericSteps(context: GuideContext): SetupStep[] {
  const { name, appType, assistantName, redirectUri, scopes } = context
  return [
    {
      text: t`Create an app`,
      description: t`In the developer settings of ${name}, register an app (${appType}) and call it ${assistantName}.`,
      ...portalLink(t`Open the settings`, context),
    },
    {
      text: t`Add the redirect URL`,
      description: t`Add this redirect URL to the app, exactly as shown here.`,
      copy: { label: t`Redirect URL`, value: redirectUri },
    },
    scopes.length > 0
      ? scopesStep(t`Add these scopes, and no more than you want to share.`, context)
      : { text: t`Give it permissions`, description: t`Choose what the app may read and write, and save.` },
    credentialStep(t`${name} shows it with the app you made.`),
  ]
}

/** The steps for an API key of a provider without a guide of its own: create a key there, paste it here. */
export function buildKeySteps(context: GuideContext): SetupStep[] {
  const { name } = context
  return [
    {
      text: t`Get your key`,
      description: t`In the settings of ${name}, create an API key or a token with only the permissions you want to share.`,
      ...portalLink(t`Open the settings`, context),
    },
    {
      text: t`Paste it here`,
      description: t`It is stored encrypted and used only for your requests to ${name}.`,
      hasFields: true,
    },
  ]
}
