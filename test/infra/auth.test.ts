import { describe, expect, it } from 'vitest'
import { variants, configurations, otherValues } from './configurations.ts'
import { synthesise, type Synthesised } from './synthesised.ts'

const app = synthesise()
const withOtherValues = synthesise(otherValues)
const withGoogle = synthesise(variants.google)
const withSes = synthesise(variants['secrets and mail'])

const origin = 'https://web/Distribution.DomainName'

describe('user pool', () => {
  it('INFRA-02 signs in by e-mail, supports TOTP but no text messages, and is retained', () => {
    const pool = app.only('auth', 'AWS::Cognito::UserPool')
    expect(pool.Properties).toMatchObject({
      UsernameAttributes: ['email'],
      UsernameConfiguration: { CaseSensitive: false },
      AutoVerifiedAttributes: ['email'],
      UserAttributeUpdateSettings: { AttributesRequireVerificationBeforeUpdate: ['email'] },
      AdminCreateUserConfig: { AllowAdminCreateUserOnly: false },
      AccountRecoverySetting: { RecoveryMechanisms: [{ Name: 'verified_email', Priority: 1 }] },
      MfaConfiguration: 'OPTIONAL',
      EnabledMfas: ['SOFTWARE_TOKEN_MFA'],
      Schema: [
        { Name: 'email', Required: true, Mutable: true },
        { Name: 'name', Required: false, Mutable: true },
        // in every pool: it could not be removed later
        {
          Name: 'groups',
          AttributeDataType: 'String',
          Mutable: true,
          StringAttributeConstraints: { MaxLength: '2048' },
        },
      ],
      UserPoolTier: 'ESSENTIALS',
      DeletionProtection: 'ACTIVE',
    })
    expect(pool.Properties).not.toHaveProperty('SmsConfiguration')
    expect(pool.DeletionPolicy).toBe('Retain')
  })

  it.each([
    [6, app],
    [12, withOtherValues],
  ])('LIM-08 requires a password length, and no kinds of characters: %j', (characters, synthesised) => {
    expect(synthesised.only('auth', 'AWS::Cognito::UserPool').Properties['Policies']).toEqual({
      PasswordPolicy: {
        MinimumLength: characters,
        RequireLowercase: false,
        RequireNumbers: false,
        RequireSymbols: false,
        RequireUppercase: false,
      },
    })
  })
})

describe('who may sign up (H6)', () => {
  const readTriggerEnvironment = (synthesised: Synthesised) =>
    synthesised.named('auth', 'AWS::Lambda::Function', 'PreSignUp').Properties['Environment']

  it.each([
    ['closed', app, 'juno-dev'],
    ['example.com,example.org', withOtherValues, 'acme-dev'],
  ])('is passed to the trigger that decides: %s', (expected, synthesised, namespace) => {
    expect(readTriggerEnvironment(synthesised)).toEqual({
      Variables: {
        NODE_OPTIONS: '--enable-source-maps',
        METRICS_NAMESPACE: namespace,
        SIGN_UP: expected,
        TABLE_NAME: 'data/Table',
        IDENTITY_PROVIDERS: '[]',
        PASSWORD_SIGN_IN: 'on',
      },
    })
  })

  it('is passed to the trigger if sign-up is open', () => {
    expect(readTriggerEnvironment(synthesise(configurations.full))).toMatchObject({
      Variables: { SIGN_UP: 'open' },
    })
  })

  it('is decided for Google too, by whether Google has verified the address', () => {
    expect(
      withGoogle.only('auth', 'AWS::Cognito::UserPoolIdentityProvider').Properties['AttributeMapping'],
    ).toMatchObject({ email_verified: 'email_verified' })
    expect(readTriggerEnvironment(withGoogle)).toMatchObject({ Variables: { SIGN_UP: 'closed' } })
  })
})

it('DEC-190 the token trigger knows whether the deployment requires a second factor', () => {
  const variables = (synthesised: Synthesised) =>
    synthesised.named('auth', 'AWS::Lambda::Function', 'PreTokenGeneration').Properties['Environment']
  const defaultVariables = {
    NODE_OPTIONS: '--enable-source-maps',
    METRICS_NAMESPACE: 'juno-dev',
    TABLE_NAME: 'data/Table',
    IDENTITY_PROVIDERS: '[]',
    PASSWORD_SIGN_IN: 'on',
  }
  expect(variables(app)).toEqual({ Variables: defaultVariables })
  expect(variables(withOtherValues)).toEqual({
    Variables: { ...defaultVariables, METRICS_NAMESPACE: 'acme-dev', REQUIRE_TWO_FACTOR: 'on' },
  })
})

describe('triggers and e-mails', () => {
  const listInvokePermissions = (synthesised: Synthesised) =>
    synthesised.resources('auth', 'AWS::Lambda::Permission').map(({ Properties }) => Properties)

  const triggers = {
    CustomMessage: 'auth/CustomMessage.Arn',
    PostConfirmation: 'auth/PostConfirmation.Arn',
    PreSignUp: 'auth/PreSignUp.Arn',
    PreTokenGenerationConfig: { LambdaArn: 'auth/PreTokenGeneration.Arn', LambdaVersion: 'V2_0' },
  }
  const readMessageEnvironment = (synthesised: Synthesised) =>
    synthesised.named('auth', 'AWS::Lambda::Function', 'CustomMessage').Properties['Environment']

  it('without a sender Cognito mails codes, and the trigger sets no text', () => {
    const { Properties } = app.only('auth', 'AWS::Cognito::UserPool')
    expect(Properties['LambdaConfig']).toEqual(triggers)
    expect(Properties).not.toHaveProperty('EmailConfiguration')
    expect(readMessageEnvironment(app)).toMatchObject({ Variables: { MAIL_TEXTS: 'cognito' } })
  })

  it('with a sender the pool mails through SES and the trigger creates the links', () => {
    const { Properties } = withSes.only('auth', 'AWS::Cognito::UserPool')
    expect(Properties['EmailConfiguration']).toEqual({
      EmailSendingAccount: 'DEVELOPER',
      From: 'Juno <hello@example.org>',
      SourceArn: 'arn:<Partition>:ses:<Region>:<AccountId>:identity/example.org',
    })
    expect(Properties['LambdaConfig']).toEqual(triggers)
    expect(readMessageEnvironment(withSes)).toEqual({
      Variables: {
        BRAND_NAME: 'Juno',
        MAIL_TEXTS: 'own',
        METRICS_NAMESPACE: 'juno-dev',
        NODE_OPTIONS: '--enable-source-maps',
        TABLE_NAME: 'data/Table',
      },
    })
  })

  it('SES may have verified the address only', () => {
    const { Properties } = withOtherValues.only('auth', 'AWS::Cognito::UserPool')
    expect(Properties['EmailConfiguration']).toMatchObject({
      SourceArn: 'arn:<Partition>:ses:<Region>:<AccountId>:identity/hello@example.org',
    })
  })

  it('only this pool may call them', () => {
    const permission = (id: string) => ({
      Action: 'lambda:InvokeFunction',
      FunctionName: `auth/${id}.Arn`,
      Principal: 'cognito-idp.amazonaws.com',
      SourceArn: 'auth/UserPool.Arn',
    })
    const ids = ['PreSignUp', 'CustomMessage', 'PreTokenGeneration', 'PostConfirmation']
    expect(listInvokePermissions(app)).toEqual(ids.map(permission))
  })
})

describe('app client', () => {
  it('INFRA-02 allows SRP only, rotates refresh tokens with a grace of 60 s, and does not reveal who exists', () => {
    expect(app.only('web', 'AWS::Cognito::UserPoolClient').Properties).toEqual({
      UserPoolId: 'auth/UserPool',
      GenerateSecret: false,
      ExplicitAuthFlows: ['ALLOW_USER_SRP_AUTH'],
      RefreshTokenRotation: { Feature: 'ENABLED', RetryGracePeriodSeconds: 60 },
      AccessTokenValidity: 15,
      IdTokenValidity: 15,
      RefreshTokenValidity: 43_200,
      TokenValidityUnits: { AccessToken: 'minutes', IdToken: 'minutes', RefreshToken: 'minutes' },
      AuthSessionValidity: 15,
      PreventUserExistenceErrors: 'ENABLED',
      EnableTokenRevocation: true,
      SupportedIdentityProviders: ['COGNITO'],
      AllowedOAuthFlowsUserPoolClient: true,
      AllowedOAuthFlows: ['code'],
      AllowedOAuthScopes: ['openid', 'email', 'profile', 'aws.cognito.signin.user.admin'],
      CallbackURLs: [`${origin}/auth`],
      LogoutURLs: [`${origin}/auth`],
      // without it, users could write their groups
      WriteAttributes: ['email', 'name'],
    })
  })
})

describe('Google', () => {
  it('INFRA-03 is enabled if both keys are given, and its secret is read at deployment', () => {
    expect(withGoogle.only('auth', 'AWS::Cognito::UserPoolIdentityProvider').Properties).toEqual({
      UserPoolId: 'auth/UserPool',
      ProviderName: 'Google',
      ProviderType: 'Google',
      ProviderDetails: {
        client_id: 'id',
        client_secret: '{{resolve:secretsmanager:team/google:SecretString:::}}',
        authorize_scopes: 'openid email profile',
      },
      AttributeMapping: { email: 'email', email_verified: 'email_verified', name: 'name' },
    })
    expect(withGoogle.only('auth', 'AWS::Cognito::UserPoolDomain').Properties).toMatchObject({
      Domain: 'juno-dev-<AccountId>',
      UserPoolId: 'auth/UserPool',
      // the classic hosted UI would not read `prompt`
      ManagedLoginVersion: 2,
    })
    expect(withGoogle.only('web', 'AWS::Cognito::ManagedLoginBranding').Properties).toEqual({
      UserPoolId: 'auth/UserPool',
      ClientId: 'web/AppClient',
      UseCognitoProvidedValues: true,
    })
    expect(withGoogle.only('web', 'AWS::Cognito::UserPoolClient').Properties).toMatchObject({
      SupportedIdentityProviders: ['COGNITO', 'Google'],
      AllowedOAuthFlows: ['code'],
      CallbackURLs: [`${origin}/auth`],
    })
    expect(withGoogle.outputs('auth')['GoogleRedirectUri']).toBe(
      'https://juno-dev-<AccountId>.auth.<Region>.amazoncognito.com/oauth2/idpresponse',
    )
  })

  it('INFRA-03 is absent if it is not configured', () => {
    expect(app.resources('auth', 'AWS::Cognito::UserPoolIdentityProvider')).toEqual([])
    expect(app.resources('auth', 'AWS::Cognito::UserPoolDomain')).toEqual([])
    expect(app.resources('web', 'AWS::Cognito::ManagedLoginBranding')).toEqual([])
    expect(app.outputs('auth')).not.toHaveProperty('GoogleRedirectUri')
  })
})
