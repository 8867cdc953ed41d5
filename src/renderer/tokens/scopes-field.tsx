import { type Scope, scopes as allScopes } from '../../contract/token.ts';
import { FieldGroup } from '../kit/field.tsx';
import { Tick } from '../kit/tick.tsx';

const meanings: Record<Scope, string> = { 'ivr:read': 'Read phone menus', 'ivr:write': 'Change phone menus' };

/** What the token may do. None ticked is not nothing but everything, so it is said in words. */
export function ScopesField({
  scopes,
  error,
  onChange,
}: {
  scopes: readonly Scope[];
  error: string | undefined;
  onChange: (scopes: readonly Scope[]) => void;
}) {
  return (
    <FieldGroup legend="Scopes" hint={wordsFor(scopes)} error={error}>
      {allScopes.map((scope) => (
        <Tick
          key={scope}
          label={
            <>
              {meanings[scope]} <code>{scope}</code>
            </>
          }
          isOn={scopes.includes(scope)}
          onChange={(isOn) =>
            onChange(allScopes.filter((other) => (other === scope ? isOn : scopes.includes(other))))
          }
        />
      ))}
    </FieldGroup>
  );
}

function wordsFor(scopes: readonly Scope[]): string {
  const [first, second] = scopes;
  if (first === undefined) return 'None ticked: unrestricted, every call that takes a token.';
  const rest = 'It may always replace itself.';
  if (second !== undefined) return `Both, and nothing that comes later. ${rest}`;
  return first === 'ivr:read'
    ? `Lists and reads phone menus, and changes none. ${rest}`
    : `Creates, replaces and deletes phone menus, and cannot read them. ${rest}`;
}
