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
import { metricsNamespace } from './function-settings.ts'
import { addIdentityProviders, providerEnvironment, signInEnvironment } from './identity-providers.ts'
import { grantAtPool, grantRows } from './permissions.ts'
import type { FunctionName } from './table-access.ts'

export interface AuthStackProps extends StackProps {
  readonly config: Config
  readonly table: Table
}

interface TriggerProps extends Pick<ApiFunctionProps, 'entry' | 'description' | 'environment'> {
  /** the rows that it may reach; none without */
  readonly rows?: FunctionName
  readonly version?: LambdaVersion
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
    const TABLE_NAME = table.tableName
    const addTrigger = (
      id: string,
      operation: UserPoolOperation,
      { rows, version, ...props }: TriggerProps,
    ): ApiFunction => {
      const trigger = new ApiFunction(this, id, {
        ...props,
        // Cognito allows a trigger 5 seconds; more memory makes a cold start shorter
        memoryMb: 1024,
        timeout: Duration.seconds(5),
        logRetentionDays: config.logRetentionDays,
        metricsNamespace: metricsNamespace(config),
      })
      if (rows) grantRows(trigger, table, rows)
      this.userPool.addTrigger(operation, trigger, version)
      return trigger
    }
    const grantPoolActions = (id: string, trigger: ApiFunction, actions: readonly string[]) =>
      grantAtPool(this, id, { trigger, userPool: this.userPool, actions })

    const preSignUp = addTrigger('PreSignUp', UserPoolOperation.PRE_SIGN_UP, {
      entry: 'sign-in/pre-sign-up.ts',
      description: 'Decides who may sign up, with a password or with an identity provider',
      environment: { SIGN_UP: formatSignUpPolicy(config.signUp), TABLE_NAME, ...signInEnvironment(config) },
      rows: 'preSignUp',
    })
    grantPoolActions('FindsAccounts', preSignUp, ['ListUsers'])

    addTrigger('CustomMessage', UserPoolOperation.CUSTOM_MESSAGE, {
      entry: 'sign-in/custom-message.ts',
      description: 'Writes the e-mails of the user pool, with links to the site, and refuses new addresses',
      environment: {
        TABLE_NAME,
        BRAND_NAME: config.brandName,
        // Cognito's own mailer rejects a trigger's texts, and with them the whole sign-up
        MAIL_TEXTS: config.ses ? 'own' : 'cognito',
      },
      rows: 'customMessage',
    })

    const preTokenGeneration = addTrigger(
      'PreTokenGeneration',
      UserPoolOperation.PRE_TOKEN_GENERATION_CONFIG,
      {
        entry: 'sign-in/pre-token-generation.ts',
        description:
          'Opens the API, leaves self-service to tokens of a sign-in, adds groups of identity providers, and asks for a required second factor',
        environment: {
          TABLE_NAME,
          ...signInEnvironment(config),
          ...(config.requireTwoFactor && { REQUIRE_TWO_FACTOR: 'on' }),
        },
        rows: 'preTokenGeneration',
        version: LambdaVersion.V2_0,
      },
    )
    grantPoolActions('FindsFactors', preTokenGeneration, ['AdminGetUser'])

    // groups that a provider no longer names end at the next sign-in; Cognito keeps an attribute if its claim is missing
    if (config.identityProviders.some(({ groupsClaim }) => groupsClaim !== undefined)) {
      const preAuthentication = addTrigger('PreAuthentication', UserPoolOperation.PRE_AUTHENTICATION, {
        entry: 'sign-in/pre-authentication.ts',
        description: 'Removes the groups of an account of an identity provider before they are read again',
        environment: {},
      })
      grantPoolActions('RemovesGroups', preAuthentication, ['AdminDeleteUserAttributes'])
    }

    const postConfirmation = addTrigger('PostConfirmation', UserPoolOperation.POST_CONFIRMATION, {
      entry: 'sign-in/post-confirmation.ts',
      description: 'Ends the sessions of an account whose password was reset',
      environment: { TABLE_NAME, ...providerEnvironment(config) },
      rows: 'postConfirmation',
    })
    // it signs an account out everywhere, replaces its password and puts it into groups
    grantPoolActions('EndsSessions', postConfirmation, [
      'AdminAddUserToGroup',
      'AdminSetUserMFAPreference',
      'AdminSetUserPassword',
      'AdminUserGlobalSignOut',
    ])
  }
}
