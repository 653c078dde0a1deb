interface Resource {
  readonly Type: string
  readonly Properties?: Record<string, unknown>
  DependsOn?: string | string[]
}

export interface Template {
  readonly Resources: Record<string, Resource>
  readonly Outputs?: Record<string, unknown>
}

/** Whether ministack refuses to create it; the templates are valid by CloudFormation's own schema. */
export const refusedResource = (resource: Resource | undefined): boolean =>
  (resource?.Type === 'AWS::CloudWatch::Alarm' && resource.Properties?.['Metrics'] !== undefined) ||
  resource?.Type === 'AWS::Cognito::UserPoolIdentityProvider' ||
  resource?.Type === 'AWS::Cognito::ManagedLoginBranding'

/** A fault of ministack that a run meets. launch.py has those with a bridge. */
interface Fault {
  readonly what: string
  readonly proof: string
}

export const knownFaults: readonly Fault[] = [
  {
    what: 'responses are collected before they are passed on',
    proof: 'apigateway_v1.py returns whole bodies; npm run smoke proves streaming on a real account',
  },
  {
    what: 'alarms by metric math are refused',
    proof: 'Properties.Metrics (metric math) is not supported',
  },
  {
    what: 'sign-in pages and identity providers of a user pool are refused, so nobody signs in with Google or OIDC',
    proof:
      'Unrecognized resource types: AWS::Cognito::UserPoolIdentityProvider, AWS::Cognito::ManagedLoginBranding',
  },
]
