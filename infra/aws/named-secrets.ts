import type { Config } from './config.ts'

/** A secret that the operator created, and the setting that names it. */
export interface NamedSecret {
  readonly key: string
  readonly name: string
}

const listIfNamed = (key: string, name: string | undefined): NamedSecret[] =>
  name === undefined ? [] : [{ key, name }]

/** The client secrets of identity providers, which CloudFormation reads and no function does. */
export const listProviderSecrets = ({
  google,
  identityProviders,
}: Pick<Config, 'google' | 'identityProviders'>): NamedSecret[] => [
  ...listIfNamed('googleSecretName', google?.secretName),
  ...identityProviders.flatMap((provider) =>
    provider.type === 'oidc'
      ? listIfNamed(`secretName of ${provider.name} in identityProviders`, provider.secretName)
      : [],
  ),
]

/** Lists the secrets whose names are configured, and which the operator creates. */
export const listNamedSecrets = (config: Config): NamedSecret[] => [
  ...listIfNamed('modelKeySecretName', config.modelKeySecretName),
  ...listIfNamed('modelHeadersSecret', config.modelHeadersSecret),
  ...listProviderSecrets(config),
  ...listIfNamed('webSearchKeySecretName', config.webSearchKeySecretName),
  ...listIfNamed('githubTokenSecretName', config.githubTokenSecretName),
  ...listIfNamed('providerAppsSecretName', config.providerAppsSecretName),
]
