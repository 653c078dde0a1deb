/** SETUP-25: one thing to do, in the order of the list. */
export interface SetupStep {
  text: string
  description: string
  /** opens in a new tab; https only */
  link?: { label: string; url: string }
  /** what to copy from here, with its name for the toast */
  copy?: { label: string; value: string }
  /** SETUP-10: this step holds the Client ID input */
  clientId?: boolean
}

/** Where the steps are followed. */
export interface GuidePlace {
  environment: 'production' | 'sandbox'
  /** SETUP-13: {origin}/oauth/callback */
  redirectUri: string
  assistantName: string
}

/** What the steps of a guide may name. */
export interface GuideContext extends GuidePlace {
  name: string
  scopes: readonly string[]
  setupUrl: string | undefined
  appType: string
}

export interface GuideData {
  authType: 'oauth2' | 'api_key'
  setupUrl: string
  docsUrl: string
  appType: string
  scopes?: readonly string[]
  /** where the sandbox has pages of its own */
  sandbox?: { setupUrl: string }
  steps: (context: GuideContext) => SetupStep[]
}

const wayBack = (where: string, { redirectUri }: GuideContext): SetupStep => ({
  text: 'Allow the way back',
  description: `${where}, add this redirect URL, exactly as it stands here, and save.`,
  copy: { label: 'Redirect URL', value: redirectUri },
})

const permissions = (where: string, { scopes }: GuideContext, separator = ' '): SetupStep => ({
  text: 'Give it permissions',
  description: where,
  copy: { label: 'Scopes', value: scopes.join(separator) },
})

const clientId = (where: string): SetupStep => ({
  text: 'Bring the Client ID here',
  description: where,
  clientId: true,
})

const portal = (label: string, { setupUrl }: GuideContext) =>
  setupUrl === undefined ? {} : { link: { label, url: setupUrl } }

/** SETUP-26 to SETUP-32: the providers with a guide of their own, by id or lowercased provider (DEC-071). */
export const guides: Readonly<Record<string, GuideData>> = {
  zoom: {
    authType: 'oauth2',
    setupUrl: 'https://marketplace.zoom.us/develop/create',
    docsUrl: 'https://developers.zoom.us/docs/integrations/oauth/',
    appType: 'General app (OAuth), user-managed',
    scopes: ['meeting:read', 'meeting:write', 'user:read', 'webinar:read'],
    steps: (context) => [
      {
        text: 'Create a general app',
        description: `Choose Develop, Build App, General App, and manage it as a user. Call it ${context.assistantName}.`,
        ...portal('Open the Zoom Marketplace', context),
      },
      wayBack('Under “Basic Information”, as OAuth redirect URL and in the allow list', context),
      permissions('On the Scopes page, add these.', context),
      clientId(
        'It stands under “Basic Information”. Development and production have different ones: take the pair that is active.',
      ),
    ],
  },
  github: {
    authType: 'oauth2',
    setupUrl: 'https://github.com/settings/developers',
    docsUrl: 'https://docs.github.com/en/apps/oauth-apps/building-oauth-apps/authorizing-oauth-apps',
    appType: 'OAuth app',
    scopes: ['read:user', 'repo'],
    steps: (context) => [
      {
        text: 'Create an OAuth app',
        description: `Open “OAuth Apps”, press “New OAuth App” and call it ${context.assistantName}. Any home page will do.`,
        ...portal('Open developer settings', context),
      },
      wayBack('As “Authorization callback URL”', context),
      {
        text: 'Make a client secret',
        description: 'Register the app, then press “Generate a new client secret”. GitHub shows it once.',
      },
      clientId('It stands at the top of the app’s page.'),
    ],
  },
  gmail: {
    authType: 'oauth2',
    setupUrl: 'https://console.cloud.google.com/apis/credentials',
    docsUrl: 'https://developers.google.com/identity/protocols/oauth2/web-server',
    appType: 'OAuth client ID, type Web application',
    scopes: ['https://www.googleapis.com/auth/gmail.readonly', 'https://www.googleapis.com/auth/gmail.send'],
    steps: (context) => [
      {
        text: 'Choose a project and enable the Gmail API',
        description:
          'Create a Google Cloud project or take one you have, then press “Enable” on the Gmail API.',
        link: {
          label: 'Open the Gmail API',
          url: 'https://console.cloud.google.com/apis/library/gmail.googleapis.com',
        },
      },
      {
        text: 'Fill in the consent screen',
        description: 'Give it a name and your address. While it is in testing, add yourself as a test user.',
        link: {
          label: 'Open the consent screen',
          url: 'https://console.cloud.google.com/apis/credentials/consent',
        },
      },
      permissions('On the consent screen, add these scopes.', context),
      {
        text: 'Create the client',
        description: 'Press “Create credentials”, “OAuth client ID”, and choose “Web application”.',
        ...portal('Open credentials', context),
      },
      wayBack('Under “Authorised redirect URIs”', context),
      clientId('Google shows it when the client is created. It ends in .apps.googleusercontent.com.'),
    ],
  },
  salesforce: {
    authType: 'oauth2',
    setupUrl: 'https://login.salesforce.com/lightning/setup/ManageExternalClientApplication/home',
    docsUrl: 'https://help.salesforce.com/s/articleView?id=xcloud.external_client_apps.htm',
    appType: 'External Client App',
    scopes: ['api', 'refresh_token', 'offline_access'],
    sandbox: { setupUrl: 'https://test.salesforce.com/lightning/setup/ManageExternalClientApplication/home' },
    steps: (context) => [
      {
        text: 'Create an external client app',
        description:
          context.environment === 'sandbox'
            ? 'Sign in to the sandbox itself, at test.salesforce.com: an app of the live organisation does not work there.'
            : `Open the External Client App Manager, press “New” and call the app ${context.assistantName}.`,
        ...portal('Open Setup', context),
      },
      wayBack('Enable OAuth, and as “Callback URL”', context),
      permissions('Add these scopes; leave “Require PKCE” on.', context),
      clientId('Salesforce calls it “Consumer Key”. A new app may need ten minutes before it works.'),
    ],
  },
  slack: {
    authType: 'oauth2',
    setupUrl: 'https://api.slack.com/apps',
    docsUrl: 'https://docs.slack.dev/authentication/installing-with-oauth',
    appType: 'Slack app (OAuth v2)',
    scopes: ['channels:read', 'channels:history', 'chat:write', 'users:read'],
    steps: (context) => [
      {
        text: 'Create an app',
        description: `In the portal choose “From scratch”, name it ${context.assistantName} and pick your workspace.`,
        ...portal('Open your apps', context),
      },
      wayBack('Under “OAuth & Permissions”', context),
      permissions('On the same page, add these scopes.', context, ','),
      clientId('It stands under “Basic Information”, as a number with a dot in it.'),
    ],
  },
  stripe: {
    authType: 'api_key',
    setupUrl: 'https://dashboard.stripe.com/apikeys',
    docsUrl: 'https://docs.stripe.com/keys',
    appType: 'Restricted API key',
    sandbox: { setupUrl: 'https://dashboard.stripe.com/test/apikeys' },
    // SETUP-31: keys, no redirect step
    steps: (context) => [
      {
        text: 'Create a restricted key',
        description:
          context.environment === 'sandbox'
            ? 'Switch to test mode or to your sandbox, open Developers, “API keys”, and press “Create restricted key”.'
            : 'Open Developers, “API keys”, and press “Create restricted key”.',
        ...portal('Open API keys', context),
      },
      {
        text: 'Give it permissions',
        description: 'Read is enough for most questions; give write only where you want it used.',
      },
      {
        text: 'Bring the key here',
        description:
          context.environment === 'sandbox'
            ? 'A test key begins with rk_test_ or sk_test_. No money moves.'
            : 'Stripe shows a live key once. It begins with rk_live_ or sk_live_.',
        clientId: true,
      },
    ],
  },
  hubspot: {
    authType: 'oauth2',
    setupUrl: 'https://app.hubspot.com/developer',
    docsUrl: 'https://developers.hubspot.com/docs/api-reference/latest/authentication/manage-oauth-tokens',
    appType: 'Public app with OAuth',
    scopes: ['oauth', 'crm.objects.contacts.read', 'crm.objects.deals.read'],
    steps: (context) => [
      {
        text: 'Create an app',
        description: `In a developer account, create an app with OAuth and call it ${context.assistantName}.`,
        ...portal('Open your developer account', context),
      },
      wayBack('On the “Auth” tab', context),
      permissions('On the same tab, choose exactly these scopes.', context),
      clientId('It stands on the “Auth” tab, beside the client secret.'),
    ],
  },
}
