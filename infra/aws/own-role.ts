import {
  PolicyDocument,
  Role,
  type AddToPrincipalPolicyResult,
  type PolicyStatement,
  type RoleProps,
} from 'aws-cdk-lib/aws-iam'
import type { Construct } from 'constructs'

/**
 * A role that contains its statements. The CDK would put them into a policy beside each role, which counts as a resource of its own, of
 * which a stack may have 500.
 */
export class OwnRole extends Role {
  readonly #statements: PolicyDocument

  constructor(scope: Construct, id: string, props: RoleProps) {
    const statements = new PolicyDocument()
    super(scope, id, { ...props, inlinePolicies: { Access: statements } })
    this.#statements = statements
  }

  override addToPrincipalPolicy(statement: PolicyStatement): AddToPrincipalPolicyResult {
    this.#statements.addStatements(statement)
    return { statementAdded: true, policyDependable: this }
  }
}
