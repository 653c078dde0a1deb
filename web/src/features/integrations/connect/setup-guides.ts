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
  text: 'Add the redirect URL',
  description: `${description}, add this redirect URL, exactly as shown here, and save.`,
  copy: { label: 'Redirect URL', value: redirectUri },
})

const scopesStep = (description: string, { scopes }: GuideContext, separator = ' '): SetupStep => ({
  text: 'Give it permissions',
  description,
  copy: { label: 'Scopes', value: scopes.join(separator) },
})

const credentialStep = (description: string): SetupStep => ({
  text: 'Paste the client ID',
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
    appType: 'General app (OAuth), user-managed',
    scopes: ['meeting:read:list_meetings', 'meeting:write:meeting'],
    buildSteps: (context) => [
      {
        text: 'Create a general app',
        description: `Choose Develop, Build App, General App, and manage it as a user. Call it ${context.assistantName}.`,
        ...portalLink('Open the Zoom Marketplace', context),
      },
      redirectStep('Under “Basic Information”, as OAuth redirect URL and in the allow list', context),
      scopesStep('On the Scopes page, add these.', context),
      credentialStep(
        'It is under “Basic Information”. Development and production have different ones: take the pair that is active.',
      ),
    ],
  },
  github: {
    authType: 'oauth2',
    setupUrl: 'https://github.com/settings/developers',
    docsUrl: 'https://docs.github.com/en/apps/oauth-apps/building-oauth-apps/authorizing-oauth-apps',
    appType: 'OAuth app',
    scopes: ['repo'],
    buildSteps: (context) => [
      {
        text: 'Create an OAuth app',
        description: `Open “OAuth Apps”, press “New OAuth App” and call it ${context.assistantName}. Any home page will do.`,
        ...portalLink('Open developer settings', context),
      },
      redirectStep('As “Authorization callback URL”', context),
      {
        text: 'Make a client secret',
        description: 'Register the app, then press “Generate a new client secret”. GitHub shows it once.',
      },
      credentialStep('It is at the top of the app’s page.'),
    ],
  },
  gmail: {
    authType: 'oauth2',
    setupUrl: 'https://console.cloud.google.com/apis/credentials',
    docsUrl: 'https://developers.google.com/identity/protocols/oauth2/web-server',
    appType: 'OAuth client ID, type Web application',
    scopes: ['https://www.googleapis.com/auth/gmail.readonly', 'https://www.googleapis.com/auth/gmail.send'],
    buildSteps: (context) => [
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
        description:
          'Give it a name and your address, and publish it to production: in testing, Google ends a connection after 7 days, and only test users can connect.',
        link: {
          label: 'Open the consent screen',
          url: 'https://console.cloud.google.com/apis/credentials/consent',
        },
      },
      scopesStep('On the consent screen, add these scopes.', context),
      {
        text: 'Create the client',
        description: 'Press “Create credentials”, “OAuth client ID”, and choose “Web application”.',
        ...portalLink('Open credentials', context),
      },
      redirectStep('Under “Authorised redirect URIs”', context),
      credentialStep('Google shows it when the client is created. It ends in .apps.googleusercontent.com.'),
    ],
  },
  salesforce: {
    authType: 'oauth2',
    setupUrl: 'https://login.salesforce.com/lightning/setup/ManageExternalClientApplication/home',
    docsUrl: 'https://help.salesforce.com/s/articleView?id=xcloud.external_client_apps.htm',
    appType: 'External Client App',
    scopes: ['api', 'refresh_token'],
    sandbox: { setupUrl: 'https://test.salesforce.com/lightning/setup/ManageExternalClientApplication/home' },
    buildSteps: (context) => [
      {
        text: 'Create an external client app',
        description:
          context.environment === 'sandbox'
            ? 'Sign in to the sandbox itself, at test.salesforce.com: an app of the live organisation does not work there.'
            : `Open the External Client App Manager, press “New” and call the app ${context.assistantName}.`,
        ...portalLink('Open Setup', context),
      },
      redirectStep('Enable OAuth, and as “Callback URL”', context),
      scopesStep('Add these scopes; leave “Require PKCE” on.', context),
      credentialStep('Salesforce calls it “Consumer Key”. A new app may need ten minutes before it works.'),
    ],
  },
  slack: {
    authType: 'oauth2',
    setupUrl: 'https://api.slack.com/apps',
    docsUrl: 'https://docs.slack.dev/authentication/installing-with-oauth',
    appType: 'Slack app (OAuth v2)',
    scopes: ['channels:read', 'channels:history', 'chat:write', 'users:read'],
    buildSteps: (context) => [
      {
        text: 'Create an app',
        description: `In the portal choose “From scratch”, name it ${context.assistantName} and pick your workspace.`,
        ...portalLink('Open your apps', context),
      },
      redirectStep('Under “OAuth & Permissions”', context),
      scopesStep('On the same page, add these scopes.', context, ','),
      {
        text: 'Invite it to channels',
        description:
          'Install the app. In each channel that it may read and write, type /invite @ and its name.',
      },
      credentialStep('It is under “Basic Information”, a number with a dot in it.'),
    ],
  },
  stripe: {
    authType: 'api_key',
    setupUrl: 'https://dashboard.stripe.com/apikeys',
    docsUrl: 'https://docs.stripe.com/keys',
    appType: 'Restricted API key',
    sandbox: { setupUrl: 'https://dashboard.stripe.com/test/apikeys' },
    // API keys need no redirect step
    buildSteps: (context) => [
      {
        text: 'Create a restricted key',
        description:
          context.environment === 'sandbox'
            ? 'Switch to test mode or to your sandbox, open Developers, “API keys”, and press “Create restricted key”.'
            : 'Open Developers, “API keys”, and press “Create restricted key”.',
        ...portalLink('Open API keys', context),
      },
      {
        text: 'Give it permissions',
        description: 'Read for PaymentIntents and Customers; write for Customers only if it may add some.',
      },
      {
        text: 'Paste the key',
        description:
          context.environment === 'sandbox'
            ? 'A test key begins with rk_test_ or sk_test_. No money moves.'
            : 'Stripe shows a live key once. It begins with rk_live_ or sk_live_.',
        hasFields: true,
      },
    ],
  },
  hubspot: {
    authType: 'oauth2',
    setupUrl: 'https://app.hubspot.com/developer',
    docsUrl: 'https://developers.hubspot.com/docs/api-reference/latest/authentication/manage-oauth-tokens',
    appType: 'Public app with OAuth',
    scopes: ['oauth', 'crm.objects.contacts.read', 'crm.objects.deals.read'],
    buildSteps: (context) => [
      {
        text: 'Create an app',
        description: `In a developer account, create an app with OAuth and call it ${context.assistantName}.`,
        ...portalLink('Open your developer account', context),
      },
      redirectStep('On the “Auth” tab', context),
      scopesStep('On the same tab, choose exactly these scopes.', context),
      credentialStep('It is on the “Auth” tab, next to the client secret.'),
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
      text: 'Create an app',
      description: `In the developer settings of ${name}, register an app (${appType}) and call it ${assistantName}.`,
      ...(setupUrl !== undefined && { link: { label: 'Open the settings', url: setupUrl } }),
    },
    {
      text: 'Add the redirect URL',
      description: 'Add this redirect URL to the app, exactly as shown here.',
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
      text: 'Paste the client ID',
      description: `${name} shows it with the app you made.`,
      hasFields: true,
    },
  ]
}

/** The steps for an API key. */
export function buildKeySteps({ name, setupUrl }: GuideContext): SetupStep[] {
  return [
    {
      text: 'Get your key',
      description: `In the settings of ${name}, create an API key or a token with only the permissions you want to share.`,
      ...(setupUrl !== undefined && { link: { label: 'Open the settings', url: setupUrl } }),
    },
    {
      text: 'Paste it here',
      description: `It is stored encrypted and used only for your requests to ${name}.`,
      hasFields: true,
    },
  ]
}
