/** AWS's price for one kind of unit. */
export interface Price {
  readonly usd: number
  /** number of units for this price */
  readonly per: number
  readonly unit: string
  /** units per month of the permanent free tier; allowances that end after a year are left out */
  readonly free?: number
  readonly source: string
  /** when the source was published, or last checked */
  readonly date: string
  /** false: not found in AWS's list or page for this region, only quoted by others or for other regions */
  readonly confirmed: boolean
}

/**
 * The price list of us-east-1, US dollars before taxes, the first step of prices that come in steps. Other regions differ by some per cent.
 * AWS publishes the same figures for machines: `https://pricing.us-east-1.amazonaws.com/offers/v1.0/aws/<service>/current/us-east-1/index.json`.
 */
export const priceRegion = 'us-east-1'
/** when all of them were last checked */
export const pricesCheckedOn = '2026-11-20'

const priceListUrl = (service: string) =>
  `https://pricing.us-east-1.amazonaws.com/offers/v1.0/aws/${service}/current/us-east-1/index.json`
const million = 1_000_000

export const prices = {
  gatewayRequest: {
    usd: 3.5,
    per: million,
    // each started 10 MB of a streamed response counts as one
    unit: 'requests',
    source: 'https://aws.amazon.com/api-gateway/pricing/',
    date: '2026-08-04',
    confirmed: true,
  },
  lambdaRequest: {
    usd: 0.2,
    per: million,
    unit: 'requests',
    free: million,
    source: priceListUrl('AWSLambda'),
    date: '2026-09-19',
    confirmed: true,
  },
  // arm64
  lambdaCompute: {
    usd: 13.3334,
    per: million,
    unit: 'GB-s',
    free: 400_000,
    source: priceListUrl('AWSLambda'),
    date: '2026-09-19',
    confirmed: true,
  },
  tableWrite: {
    usd: 0.625,
    per: million,
    unit: 'WRU',
    source: priceListUrl('AmazonDynamoDB'),
    date: '2026-09-11',
    confirmed: true,
  },
  tableRead: {
    usd: 0.125,
    per: million,
    unit: 'RRU',
    source: priceListUrl('AmazonDynamoDB'),
    date: '2026-09-11',
    confirmed: true,
  },
  tableStorage: {
    usd: 0.25,
    per: 1,
    unit: 'GB-month',
    free: 25,
    source: priceListUrl('AmazonDynamoDB'),
    date: '2026-09-11',
    confirmed: true,
  },
  tableBackup: {
    usd: 0.2,
    per: 1,
    unit: 'GB-month',
    source: 'https://aws.amazon.com/dynamodb/pricing/on-demand/',
    date: '2025-07-01',
    confirmed: false,
  },
  objectStorage: {
    usd: 0.023,
    per: 1,
    unit: 'GB-month',
    source: priceListUrl('AmazonS3'),
    date: '2026-07-28',
    confirmed: true,
  },
  objectWrite: {
    usd: 0.005,
    per: 1_000,
    unit: 'PUT and COPY',
    source: priceListUrl('AmazonS3'),
    date: '2026-07-28',
    confirmed: true,
  },
  objectRead: {
    usd: 0.0004,
    per: 1_000,
    unit: 'GET',
    source: priceListUrl('AmazonS3'),
    date: '2026-07-28',
    confirmed: true,
  },
  secret: {
    usd: 0.4,
    per: 1,
    unit: 'secret-month',
    source: priceListUrl('AWSSecretsManager'),
    date: '2026-09-11',
    confirmed: true,
  },
  secretCall: {
    usd: 0.05,
    per: 10_000,
    unit: 'calls',
    source: priceListUrl('AWSSecretsManager'),
    date: '2026-09-11',
    confirmed: true,
  },
  key: {
    usd: 1,
    per: 1,
    unit: 'key-month',
    source: 'https://aws.amazon.com/kms/pricing/',
    date: '2026-09-11',
    confirmed: true,
  },
  keyCall: {
    usd: 0.03,
    per: 10_000,
    unit: 'calls',
    free: 20_000,
    source: priceListUrl('awskms'),
    date: '2026-09-11',
    confirmed: true,
  },
  siteRequest: {
    usd: 0.01,
    per: 10_000,
    unit: 'HTTPS requests',
    free: 10 * million,
    source: 'https://aws.amazon.com/cloudfront/pricing/',
    date: '2026-09-16',
    confirmed: true,
  },
  siteTransfer: {
    usd: 0.085,
    per: 1,
    unit: 'GB',
    free: 1_000,
    source: 'https://aws.amazon.com/cloudfront/pricing/',
    date: '2026-09-16',
    confirmed: true,
  },
  siteFunction: {
    usd: 0.1,
    per: million,
    unit: 'runs',
    free: 2 * million,
    source: 'https://aws.amazon.com/cloudfront/pricing/',
    date: '2026-09-16',
    confirmed: false,
  },
  transferOut: {
    usd: 0.09,
    per: 1,
    unit: 'GB',
    free: 100,
    source: priceListUrl('AWSDataTransfer'),
    date: '2026-07-20',
    confirmed: true,
  },
  logIngested: {
    usd: 0.5,
    per: 1,
    unit: 'GB',
    free: 5,
    source: priceListUrl('AmazonCloudWatch'),
    date: '2026-10-01',
    confirmed: true,
  },
  logStored: {
    usd: 0.03,
    per: 1,
    unit: 'GB-month',
    source: priceListUrl('AmazonCloudWatch'),
    date: '2026-10-01',
    confirmed: true,
  },
  metric: {
    usd: 0.3,
    per: 1,
    unit: 'metric-month',
    free: 10,
    source: priceListUrl('AmazonCloudWatch'),
    date: '2026-09-21',
    confirmed: true,
  },
  alarm: {
    usd: 0.1,
    per: 1,
    unit: 'alarm-month',
    free: 10,
    source: 'https://aws.amazon.com/cloudwatch/pricing/',
    date: '2026-08-04',
    confirmed: true,
  },
  // not in the machine-readable price list: on a page made by scripts, which others quote
  dashboard: {
    usd: 3,
    per: 1,
    unit: 'dashboard-month',
    free: 3,
    source: 'https://aws.amazon.com/cloudwatch/pricing/',
    date: '2026-07-29',
    confirmed: false,
  },
  trace: {
    usd: 5,
    per: million,
    unit: 'traces',
    free: 100_000,
    source: 'https://aws.amazon.com/xray/pricing/',
    date: '2026-11-20',
    confirmed: true,
  },
  // Essentials, sign-in with a password or with Google
  activeUser: {
    usd: 0.015,
    per: 1,
    unit: 'active user',
    free: 10_000,
    source: priceListUrl('AmazonCognito'),
    date: '2026-09-25',
    confirmed: true,
  },
  // with an OIDC or SAML provider; the date is that of the tiers' announcement
  federatedUser: {
    usd: 0.015,
    per: 1,
    unit: 'active user',
    free: 50,
    source: 'https://aws.amazon.com/cognito/pricing/',
    date: '2024-11-22',
    confirmed: false,
  },
  mail: {
    usd: 0.1,
    per: 1_000,
    unit: 'e-mails',
    source: priceListUrl('AmazonSES'),
    date: '2026-09-21',
    confirmed: true,
  },
  webAcl: {
    usd: 5,
    per: 1,
    unit: 'ACL-month',
    source: priceListUrl('awswaf'),
    date: '2026-09-14',
    confirmed: true,
  },
  webRule: {
    usd: 1,
    per: 1,
    unit: 'rule-month',
    source: priceListUrl('awswaf'),
    date: '2026-09-14',
    confirmed: true,
  },
  webInspection: {
    usd: 0.6,
    per: million,
    unit: 'requests',
    source: priceListUrl('awswaf'),
    date: '2026-09-14',
    confirmed: true,
  },
  schedule: {
    usd: 1,
    per: million,
    unit: 'starts',
    free: 14 * million,
    source: priceListUrl('AWSEvents'),
    date: '2026-05-29',
    confirmed: true,
  },
} as const satisfies Record<string, Price>

export type PriceName = keyof typeof prices

/**
 * CloudFront's flat-rate plans: a price for one distribution, its web ACL, rules, function and logs included, in place of a price for each
 * request. Use beyond the allowance is not billed: it may be slowed down. From a transcript of AWS's page and guide by others, which agrees
 * with https://github.com/aws/aws-cdk/issues/37857: https://github.com/api-evangelist/cloudfront/blob/main/plans/cloudfront-plans-pricing.yml
 */
export const flatRatePlans = {
  source: 'https://aws.amazon.com/cloudfront/pricing/',
  date: '2026-09-05',
  confirmed: false,
  plans: [
    { name: 'Free', usd: 0, requests: million, transferGb: 100 },
    { name: 'Pro', usd: 15, requests: 10 * million, transferGb: 50_000 },
    { name: 'Business', usd: 200, requests: 125 * million, transferGb: 50_000 },
    { name: 'Premium', usd: 1_000, requests: 500 * million, transferGb: 50_000 },
  ],
} as const
