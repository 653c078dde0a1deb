import { CfnOutput, Stack, type StackProps } from 'aws-cdk-lib'
import { CognitoUserPoolsAuthorizer, type RestApi } from 'aws-cdk-lib/aws-apigateway'
import type { Construct } from 'constructs'
import type { ApiFunctionName } from '#shared/routes.ts'
import { rowFormat } from '#shared/row-format.ts'
import { ApiFunction } from './api-function.ts'
import { addCanary, addLiveAlias } from './canary.ts'
import type { Config } from './config.ts'
import { addConnectionRefresh } from './connection-refresh.ts'
import { addDailySync } from './daily-sync.ts'
import { addDocumentReader } from './document-reader.ts'
import { addFailedEvents } from './failed-events.ts'
import { vaultPrefix, type FunctionInput } from './function-settings.ts'
import { customizeGatewayResponses } from './gateway-errors.ts'
import { addIntegrationFunctions } from './integration-functions.ts'
import { addMonthlyBudget } from './monthly-budget.ts'
import { Monitoring } from './monitoring.ts'
import { addModelCheck } from './model-check.ts'
import { addNotifier } from './notifier.ts'
import { mountRoutes } from './mount-routes.ts'
import { addProductFunctions } from './product-functions.ts'
import { productVersion } from './product-version.ts'
import { grantSecretRead } from './permissions.ts'
import { addRestApi } from './rest-api.ts'
import { addDispatcher, addRunQueue, addScheduleWorker } from './schedules.ts'
import { existingSecret } from './secret-reference.ts'

export type ApiStackProps = StackProps & FunctionInput

/** The functions, the gateway in front of them, the daily jobs and the monitoring. */
export class ApiStack extends Stack {
  readonly api: RestApi

  constructor(scope: Construct, id: string, { config, data, userPool, ...props }: ApiStackProps) {
    super(scope, id, props)
    const input = { config, data, userPool }
    const failedEvents = addFailedEvents(this)
    const runQueue = addRunQueue(this, config, failedEvents)
    const { reader, parser } = addDocumentReader(this, input, failedEvents)
    const notifier = addNotifier(this, input, failedEvents)
    const functions = {
      ...addProductFunctions(this, { ...input, reader, parser, notifier }),
      ...addIntegrationFunctions(this, input, runQueue),
    }
    const worker = addScheduleWorker(this, { ...input, reader, parser, notifier }, runQueue)
    grantProviderApps(this, config, { ...functions, worker })
    addDailySync(this, input, failedEvents)
    addModelCheck(this, input, failedEvents)
    addConnectionRefresh(this, input, failedEvents)
    addDispatcher(this, { ...input, notifier }, runQueue)

    // read by `npm run vault`
    new CfnOutput(this, 'Vault', { value: config.vault })
    new CfnOutput(this, 'VaultPrefix', { value: vaultPrefix(config) })
    // read by `npm run deploy -- --back`: what the deployed functions write
    new CfnOutput(this, 'RowFormat', { value: String(rowFormat) })
    new CfnOutput(this, 'Version', { value: productVersion })

    this.api = addRestApi(this, config)
    customizeGatewayResponses(this.api)
    const live = config.canary ? addLiveAlias(functions.chat) : undefined
    mountRoutes(this.api, {
      functions: { ...functions, ...(live && { chat: live.target }) },
      authorizer: new CognitoUserPoolsAuthorizer(this, 'SignedIn', { cognitoUserPools: [userPool] }),
    })
    if (config.monthlyBudget !== undefined) addMonthlyBudget(this, config)
    if (!config.monitoring) return
    const { chatErrors } = new Monitoring(this, 'Monitoring', {
      config,
      api: this.api,
      functions: Object.fromEntries(
        this.node.children
          .filter((child) => child instanceof ApiFunction)
          .map((one) => [one.node.id, one] as const),
      ),
      table: data.table,
      failedEvents,
    })
    if (live) addCanary(this, 'ChatCanary', { alias: live.alias, alarm: chatErrors })
  }
}

/** Lets every function that uses connections read the operator's apps: with them, it refreshes and revokes tokens that they were granted. */
function grantProviderApps(
  stack: Stack,
  { providerAppsSecretName }: Config,
  {
    account,
    chat,
    integrations,
    oauth,
    registry,
    tools,
    worker,
  }: Readonly<Record<ApiFunctionName | 'worker', ApiFunction>>,
): void {
  if (!providerAppsSecretName) return
  const apps = existingSecret(stack, providerAppsSecretName)
  for (const fn of [account, chat, integrations, oauth, registry, tools, worker]) grantSecretRead(fn, apps)
}
