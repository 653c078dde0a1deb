/** One of each type, with groups. */
export const identityProviders = [
  {
    name: 'Okta',
    type: 'oidc',
    label: 'Okta',
    issuer: 'https://example.okta.com',
    clientId: 'okta-client',
    secretName: 'team/okta',
    domains: ['example.org'],
    groupsClaim: 'groups',
    adminGroup: 'assistant-admins',
  },
  { name: 'Adfs', type: 'saml', label: 'AD FS', metadataUrl: 'https://adfs.example.com/metadata.xml' },
] as const

/** What the product is synthesised with where a test looks at all of it: as it comes, with everything, and two stages side by side. */
export const configurations = {
  minimal: {},
  full: {
    stage: 'live',
    domainName: 'chat.example.org',
    hostedZoneId: 'Z1D633PJN98FT9',
    waf: 'on',
    googleClientId: 'id',
    googleSecretName: 'team/google',
    identityProviders,
    sesSender: 'hello@example.org',
    githubTokenSecretName: 'team/github',
    providerAppsSecretName: 'team/apps',
    modelKeySecretName: 'team/model',
    openaiBaseUrl: 'https://models.example.org/v1',
    openaiModel: 'large',
    outboundAllow: 'models.example.org:8443',
    alarmEmail: 'team@example.org',
    chatConcurrency: 20,
  },
  bedrock: {
    modelServer: 'bedrock',
    openaiModel: 'us.anthropic.claude-sonnet-5',
    models: [
      { id: 'us.anthropic.claude-sonnet-5' },
      { id: 'global.openai.gpt-6-sol' },
      { id: 'openai.gpt-oss-120b-1:0' },
    ],
  },
  'first of two stages': { stage: 'first' },
  'second of two stages': {
    stage: 'second',
    accessLogs: 'off',
    keepData: 'off',
    vault: 'table',
    monitoring: 'off',
  },
} as const satisfies Record<string, Record<string, unknown>>
