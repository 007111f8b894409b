import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { usePageQuery } from '../lib/query-client.ts';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/dialog/confirm-dialog.tsx';
import { Drawer } from '../ui/dialog/drawer.tsx';
import { flash } from '../ui/flash.tsx';
import { Row, ShowcaseSection } from './showcase-section.tsx';

type Layer = 'delete' | 'logout' | 'drawer' | 'loading';

export function ShowcaseOverlays() {
  const [layer, setLayer] = useState<Layer | null>(null);
  const close = () => setLayer(null);
  return (
    <ShowcaseSection title="Messages and dialogs">
      <Row>
        <Button onClick={() => flash('Entry has been updated successfully')}>Flash</Button>
        <Button onClick={() => flash('10 is the maximum number of subjects per semester', 'warning')}>
          Flash, warning
        </Button>
        <Button
          onClick={() =>
            flash('The student entry has been deleted from the database.', 'done', {
              label: 'Undo',
              run: () => flash('The student entry has been restored.'),
            })
          }
        >
          Flash, with a way back
        </Button>
        <Button onClick={() => setLayer('delete')}>Delete dialog</Button>
        <Button onClick={() => setLayer('logout')}>Logout dialog</Button>
        <Button onClick={() => setLayer('drawer')}>Drawer</Button>
        <Button onClick={() => setLayer('loading')}>Load for 3 seconds</Button>
      </Row>
      <ConfirmDialog
        isOpen={layer === 'delete'}
        text="Are you sure you want to delete this entry?"
        tone="danger"
        onNo={close}
        onYes={close}
      />
      <ConfirmDialog
        isOpen={layer === 'logout'}
        text="You will be logged out. Do you wish to proceed?"
        onNo={close}
        onYes={close}
      />
      <Drawer
        isOpen={layer === 'drawer'}
        onClose={close}
        title="Semester 4"
        sub="Hareem Lodhi"
        bodyLabel="Subjects"
      >
        <p>What is looked at more closely.</p>
      </Drawer>
      {layer === 'loading' && <SlowRead onDone={close} />}
    </ShowcaseSection>
  );
}

function SlowRead({ onDone }: { onDone: () => void }) {
  const queries = useQueryClient();
  usePageQuery({
    queryKey: ['showcase', 'slow'],
    gcTime: 0,
    loading: 'nothing in particular',
    queryFn: async ({ signal }) => {
      await new Promise<void>((resolve, reject) => {
        setTimeout(resolve, 3000);
        signal.addEventListener('abort', () => reject(signal.reason));
      });
      queries.removeQueries({ queryKey: ['showcase'] });
      onDone();
      return null;
    },
  });
  return null;
}
