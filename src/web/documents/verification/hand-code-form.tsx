import { useNavigate } from '@tanstack/react-router';
import { Search } from 'lucide-react';
import { useState } from 'react';
import { groupHandCode, readHandCode } from '../../../domain/documents/hand-code.ts';
import { SERIAL_PATTERN } from '../../../domain/documents/serial.ts';
import { Form } from '../../forms/form.tsx';
import { beginInFirstField } from '../../lib/navigation/first-field.ts';
import { Button } from '../../ui/button.tsx';
import { fieldId } from '../../ui/fields/field.tsx';
import { TextField } from '../../ui/fields/input-fields.tsx';

interface Typed {
  serial: string;
  characters: string;
}

/** A typed serial as it is printed: people leave out the dash, or type another one. */
const readSerial = (typed: string): string =>
  typed.replaceAll(/\s/g, '').replace(/^(\d{4})[-‐–—]?(\d{6})$/, '$1-$2');

/** The fields for the code of an address: a signed code can't be typed by hand. */
function parseCode(code: string | undefined): Typed {
  const [serial = '', characters = ''] = (code ?? '').split('.', 2);
  if (!SERIAL_PATTERN.test(serial)) return { serial: '', characters: '' };
  return { serial, characters: groupHandCode(readHandCode(characters) ?? characters) };
}

function findErrors({ serial, characters }: Typed): Partial<Typed> {
  return {
    ...(!SERIAL_PATTERN.test(readSerial(serial)) && {
      serial: 'Enter four digits, a dash and six digits, such as 2026-000001.',
    }),
    ...(readHandCode(characters) === undefined && {
      characters:
        'Enter the 24 characters beside the QR code, or 16 on an older document. There is no U among them.',
    }),
  };
}

/** Serial and characters of a document, typed from its printed form. */
export function HandCodeForm({ code }: { code?: string }) {
  const navigate = useNavigate();
  const [typed, setTyped] = useState(() => parseCode(code));
  const [errors, setErrors] = useState<Partial<Typed>>({});
  const set = (field: keyof Typed) => (value: string) => {
    setTyped({ ...typed, [field]: value });
    setErrors({ ...errors, [field]: undefined });
  };
  const check = () => {
    const found = findErrors(typed);
    setErrors(found);
    const [wrong] = Object.keys(found);
    if (wrong !== undefined) {
      document.getElementById(fieldId(wrong))?.focus();
      return;
    }
    const handCode = `${readSerial(typed.serial)}.${readHandCode(typed.characters)}`;
    // Behind the hash, so that no log on the way has it.
    void navigate({ to: '/verify', hash: handCode });
  };
  return (
    <Form ref={beginInFirstField} onSubmit={check} className="verify-panel">
      <TextField
        name="serial"
        label="Serial"
        value={typed.serial}
        onChange={set('serial')}
        error={errors.serial}
        placeholder="2026-000001"
        spellCheck={false}
        required
      />
      <TextField
        name="characters"
        label="Code beside the QR code"
        value={typed.characters}
        onChange={set('characters')}
        error={errors.characters}
        hint="24 letters and digits, 16 on older documents. O counts as 0, I and L as 1; capitals, spaces and dashes make no difference."
        placeholder="XXXX-XXXX-XXXX-XXXX-XXXX-XXXX"
        spellCheck={false}
        required
      />
      <Button type="submit" variant="primary">
        <Search />
        {code === undefined ? 'Check' : 'Check again'}
      </Button>
    </Form>
  );
}
