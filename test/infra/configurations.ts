/** One of each type; the OIDC provider has groups. */
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

export const certificateArn =
  'arn:aws:acm:us-east-1:123456789012:certificate/12345678-1234-1234-1234-123456789012'
const domainName = 'chat.example.org'
const hostedZoneId = 'Z1D633PJN98FT9'
const google = { googleClientId: 'id', googleSecretName: 'team/google' }

/** The configurations for tests of the whole product: the defaults, everything enabled, a model on Bedrock, and two stages side by side. */
export const configurations = {
  minimal: {},
  full: {
    stage: 'live',
    domainName,
    hostedZoneId,
    waf: 'on',
    ...google,
    identityProviders,
    sesSender: 'hello@example.org',
    githubTokenSecretName: 'team/github',
    providerAppsSecretName: 'team/apps',
    modelKeySecretName: 'team/model',
    openaiBaseUrl: 'https://models.example.org/v1',
    openaiModel: 'large',
    embeddingModel: 'meaning',
    outboundAllow: 'models.example.org:8443',
    alarmEmail: 'team@example.org',
    outsideCheck: 'on',
    isolateParser: 'on',
    canary: 'on',
    chatConcurrency: 20,
    replySeconds: 840,
    monthlyBudget: 300,
    signUp: 'open',
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

/** Configurations that differ in which resources the stacks have. */
export const variants = {
  defaults: {},
  google,
  'identity providers': { identityProviders },
  'identity providers and Google': { identityProviders, ...google },
  'Google without passwords': { ...google, passwordSignIn: 'off' },
  'identity providers without passwords': { identityProviders, passwordSignIn: 'off' },
  "the model's key in a secret of the operator": { modelKeySecretName: 'team/model' },
  bedrock: { modelServer: 'bedrock', openaiModel: 'us.anthropic.claude-sonnet-5' },
  'a certificate that the stack creates': { domainName, hostedZoneId },
  'a certificate of one’s own': { domainName, certificateArn },
  'a model for embeddings': { embeddingModel: 'text-embedding-3-small' },
  waf: { waf: 'on' },
  'a check from outside': {
    domainName,
    certificateArn,
    alarmEmail: 'team@example.org',
    outsideCheck: 'on',
  },
  'new versions for a part of the messages first': { canary: 'on' },
  'a parser without the internet': { isolateParser: 'on' },
  'the vault in the table': { vault: 'table' },
  'data deleted with the stacks': { keepData: 'off' },
  'no monitoring': { monitoring: 'off' },
  'no access logs, no apps': { accessLogs: 'off', mcpApps: 'off' },
  'secrets and mail': {
    githubTokenSecretName: 'team/github',
    providerAppsSecretName: 'team/apps',
    sesSender: 'hello@example.org',
    alarmEmail: 'team@example.org',
    monthlyBudget: 300,
  },
  everything: {
    domainName,
    hostedZoneId,
    waf: 'on',
    ...google,
    identityProviders,
    passwordSignIn: 'off',
    modelKeySecretName: 'team/model',
    vault: 'table',
    chatConcurrency: 20,
    sharing: 'off',
    requireTwoFactor: 'on',
  },
} as const satisfies Record<string, Record<string, unknown>>

/** With the operator's own certificate, the firewall, and Cognito's hosted sign-in pages. */
export const ownCertificateWithWaf = {
  domainName,
  certificateArn,
  waf: 'on',
  ...google,
  identityProviders,
} as const

/** Another value of each setting that is only passed on. */
export const otherValues = {
  assistantName: 'Ada',
  brandName: 'Acme',
  imagesPerDay: '0',
  logRetentionDays: '7',
  mcpApps: 'off',
  minPasswordCharacters: '12',
  modelSilenceSeconds: '90',
  openaiBaseUrl: 'https://models.example.org/v1',
  openaiModel: 'small',
  rateLimitFactor: '2.5',
  recoveryDays: '7',
  permissionsBoundary: 'team/boundary',
  requireTwoFactor: 'on',
  sesIdentity: 'address',
  sesSender: 'hello@example.org',
  sharing: 'off',
  signUp: 'Example.com,example.org',
  siteTokensPerDay: '1000',
  storageGbPerUser: '0.5',
} as const
