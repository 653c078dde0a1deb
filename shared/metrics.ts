/**
 * What the functions measure of themselves, with CloudWatch's units. The dashboard and the alarms take their names from here.
 * What can fail is written as 0 or 1 each time: the sum is the number of failures, the number of samples that of attempts. So both
 * cost one metric, and each one is billed.
 */
export const metricUnits = {
  /** from the request's arrival at the gateway to the first word, or the first call of a tool */
  TimeToFirstToken: 'Milliseconds',
  InputTokens: 'Count',
  OutputTokens: 'Count',
  /** used share of the daily token budget for all users, reservations included; 100 if a reply was rejected */
  SiteBudgetUsed: 'Percent',
  FailedReplies: 'Count',
  /** requests to the model without the tools, images or effort that its server rejects */
  ReducedRequests: 'Count',
  FailedToolCalls: 'Count',
  /** refreshes of people's tokens at providers */
  FailedRefreshes: 'Count',
  /** hourly runs whose time was over before all idle connections were refreshed */
  UnfinishedRefreshes: 'Count',
  /** documents that were uploaded and not read */
  FailedReadings: 'Count',
  /** pages and parts of documents that are given without their layout, which would lose letters */
  PlainReadings: 'Count',
  /** sign-ins, sign-ups and mails that a trigger of the user pool could not decide on; a refusal is none */
  FailedTriggers: 'Count',
  FailedSyncs: 'Count',
  /** since the last successful sync, as a reader of the registry finds it */
  RegistryAge: 'Seconds',
  /** models of this deployment that their server shuts down within 60 days, counted once a day */
  ModelsEndingSoon: 'Count',
  /** by how much the latest of the scheduled runs of a minute was handed over after its minute */
  ScheduleLag: 'Seconds',
  /** responses with a status of 400 or more, except those below */
  ClientErrors: 'Count',
  ServerErrors: 'Count',
  /** refused by the product's own limits per person */
  ThrottledCalls: 'Count',
} as const

export type MetricName = keyof typeof metricUnits
