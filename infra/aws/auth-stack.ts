import { CfnOutput, Duration, RemovalPolicy, Stack, type StackProps } from 'aws-cdk-lib'
import {
  AccountRecovery,
  FeaturePlan,
  LambdaVersion,
  Mfa,
  StringAttribute,
  UserPool,
  UserPoolEmail,
  UserPoolOperation,
  VerificationEmailStyle,
} from 'aws-cdk-lib/aws-cognito'
import type { Table } from 'aws-cdk-lib/aws-dynamodb'
import type { Construct } from 'constructs'
import { groupsAttribute } from '#shared/identity-providers.ts'
import { formatSignUpPolicy } from '#shared/sign-up-policy.ts'
import { acknowledge } from './acknowledge.ts'
import { ApiFunction, type ApiFunctionProps } from './api-function.ts'
import type { Config } from './config.ts'
import { addIdentityProviders, providerEnvironment, signInEnvironment } from './identity-providers.ts'
import { grantAtPool, grantRows } from './permissions.ts'

export interface AuthStackProps extends StackProps {
  readonly config: Config
  readonly table: Table
}

/** The user pool and its triggers. The app client is in the web stack, which knows the address of the site. */
export class AuthStack extends Stack {
  readonly userPool: UserPool
  /** the origin of Cognito's hosted pages; there are none without an identity provider */
  readonly oauthOrigin: string | undefined

  constructor(scope: Construct, id: string, { config, table, ...props }: AuthStackProps) {
    super(scope, id, props)

    this.userPool = new UserPool(this, 'UserPool', {
      // PreSignUp decides who may sign up: if it were disabled here, invited users could not sign up either
      selfSignUpEnabled: true,
      signInAliases: { email: true },
      signInCaseSensitive: false,
      autoVerify: { email: true },
      // a new address takes effect when its code is entered, which the CustomMessage trigger refuses to send
      keepOriginal: { email: true },
      standardAttributes: {
        email: { required: true, mutable: true },
        fullname: { required: false, mutable: true },
      },
      // in every pool, because an attribute can be added and never removed:
      // https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-cognito-userpool.html (Schema)
      customAttributes: {
        [groupsAttribute.replace('custom:', '')]: new StringAttribute({ mutable: true, maxLen: 2_048 }),
      },
      passwordPolicy: {
        minLength: config.minPasswordCharacters,
        requireLowercase: false,
        requireUppercase: false,
        requireDigits: false,
        requireSymbols: false,
      },
      mfa: Mfa.OPTIONAL,
      // without this line "optional" enables text messages
      mfaSecondFactor: { otp: true, sms: false },
      accountRecovery: AccountRecovery.EMAIL_ONLY,
      featurePlan: FeaturePlan.ESSENTIALS,
      userVerification: {
        emailStyle: VerificationEmailStyle.CODE,
        emailSubject: `Your code for ${config.brandName}`,
        emailBody: `Your code for ${config.brandName} is {####}. Enter it on the page that asked for it.`,
      },
      ...(config.ses && { email: this.sesEmail(config.ses, config.brandName) }),
      deletionProtection: config.keepData,
      removalPolicy: config.keepData ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
    })

    acknowledge(this.userPool, {
      COG1: 'What counts is length, which the operator sets (minPasswordCharacters, 6 to 99). Composition rules make people write passwords down; Cognito itself slows guessing, and two factors are offered.',
      COG2: 'The pool cannot require a factor of some users only, nor lead to its set-up. Where the operator requires one (requireTwoFactor, or a group), the trigger marks the tokens of users without it, and the functions refuse them.',
      COG8: 'Threat protection needs the Plus plan, which costs more for each active user; two factors, backup codes and revocable sessions come with Essentials.',
    })
    this.addTriggers(config, table)
    this.oauthOrigin = addIdentityProviders(this, this.userPool, config)

    new CfnOutput(this, 'UserPoolId', { value: this.userPool.userPoolId })
  }

  private sesEmail({ sender, verified }: NonNullable<Config['ses']>, brandName: string): UserPoolEmail {
    return UserPoolEmail.withSES({
      fromEmail: sender,
      fromName: brandName,
      sesRegion: this.region,
      ...(verified === 'domain' && { sesVerifiedDomain: sender.replace(/^.*@/, '') }),
    })
  }

  private addTriggers(config: Config, table: Table) {
    const { brandName, ses, signUp, logRetentionDays } = config
    // Cognito allows a trigger 5 seconds; more memory makes a cold start shorter
    const trigger = { memoryMb: 1024, timeout: Duration.seconds(5), logRetentionDays }

    const preSignUp = new ApiFunction(this, 'PreSignUp', {
      ...trigger,
      entry: 'sign-in/pre-sign-up.ts',
      description: 'Decides who may sign up, with a password or with an identity provider',
      environment: {
        SIGN_UP: formatSignUpPolicy(signUp),
        TABLE_NAME: table.tableName,
        ...signInEnvironment(config),
      },
    })
    grantRows(preSignUp, table, 'preSignUp')
    this.grantPoolActions('FindsAccounts', preSignUp, ['ListUsers'])
    this.userPool.addTrigger(UserPoolOperation.PRE_SIGN_UP, preSignUp)

    const customMessage = new ApiFunction(this, 'CustomMessage', {
      ...trigger,
      entry: 'sign-in/custom-message.ts',
      description: 'Writes the e-mails of the user pool, with links to the site, and refuses new addresses',
      environment: {
        TABLE_NAME: table.tableName,
        BRAND_NAME: brandName,
        // Cognito's own mailer rejects a trigger's texts, and with them the whole sign-up
        MAIL_TEXTS: ses ? 'own' : 'cognito',
      },
    })
    grantRows(customMessage, table, 'customMessage')
    this.userPool.addTrigger(UserPoolOperation.CUSTOM_MESSAGE, customMessage)
    this.addSessionTriggers(trigger, config, table)
  }

  /** What a token may do at the pool itself, and which sessions a new password ends. */
  private addSessionTriggers(
    trigger: Pick<ApiFunctionProps, 'memoryMb' | 'timeout' | 'logRetentionDays'>,
    config: Config,
    table: Table,
  ) {
    const preTokenGeneration = new ApiFunction(this, 'PreTokenGeneration', {
      ...trigger,
      entry: 'sign-in/pre-token-generation.ts',
      description:
        'Opens the API, leaves self-service to tokens of a sign-in, adds groups of identity providers, and asks for a required second factor',
      environment: {
        TABLE_NAME: table.tableName,
        ...signInEnvironment(config),
        ...(config.requireTwoFactor && { REQUIRE_TWO_FACTOR: 'on' }),
      },
    })
    grantRows(preTokenGeneration, table, 'preTokenGeneration')
    this.grantPoolActions('FindsFactors', preTokenGeneration, ['AdminGetUser'])
    this.userPool.addTrigger(
      UserPoolOperation.PRE_TOKEN_GENERATION_CONFIG,
      preTokenGeneration,
      LambdaVersion.V2_0,
    )

    if (config.identityProviders.some(({ groupsClaim }) => groupsClaim !== undefined))
      this.addGroupReset(trigger)

    const postConfirmation = new ApiFunction(this, 'PostConfirmation', {
      ...trigger,
      entry: 'sign-in/post-confirmation.ts',
      description: 'Ends the sessions of an account whose password was reset',
      environment: { TABLE_NAME: table.tableName, ...providerEnvironment(config) },
    })
    grantRows(postConfirmation, table, 'postConfirmation')
    // it signs an account out everywhere, replaces its password and puts it into groups
    this.grantPoolActions('EndsSessions', postConfirmation, [
      'AdminAddUserToGroup',
      'AdminSetUserMFAPreference',
      'AdminSetUserPassword',
      'AdminUserGlobalSignOut',
    ])
    this.userPool.addTrigger(UserPoolOperation.POST_CONFIRMATION, postConfirmation)
  }

  /** Groups that a provider no longer names end at the next sign-in; Cognito keeps an attribute if its claim is missing. */
  private addGroupReset(trigger: Pick<ApiFunctionProps, 'memoryMb' | 'timeout' | 'logRetentionDays'>) {
    const preAuthentication = new ApiFunction(this, 'PreAuthentication', {
      ...trigger,
      entry: 'sign-in/pre-authentication.ts',
      description: 'Removes the groups of an account of an identity provider before they are read again',
      environment: {},
    })
    this.grantPoolActions('RemovesGroups', preAuthentication, ['AdminDeleteUserAttributes'])
    this.userPool.addTrigger(UserPoolOperation.PRE_AUTHENTICATION, preAuthentication)
  }

  private grantPoolActions(id: string, trigger: ApiFunction, actions: readonly string[]) {
    grantAtPool(this, id, { trigger, userPool: this.userPool, actions })
  }
}
