mod auth;
mod export;
mod ledger;
mod store;
mod wire;

use std::io::Write;
use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use ledger::Ledger;

fn serve(mut peer: TcpStream, ledger: &Mutex<Ledger>, token: &auth::Token, file: &PathBuf) -> std::io::Result<()> {
    peer.set_read_timeout(Some(Duration::from_secs(10)))?;
    let batch = wire::read_batch(&mut peer, token)?;
    let mut ledger = ledger.lock().map_err(|_| std::io::Error::other("the ledger is poisoned"))?;
    if batch.is_empty() {
        return export::write_totals(&ledger);
    }
    let answers: Vec<u8> = batch.iter().map(|r| u8::from(ledger.charge(r.tenant, r.units))).collect();
    store::save(file, &ledger)?;
    peer.write_all(&answers)
}

fn main() -> std::io::Result<()> {
    let mut args = std::env::args().skip(1);
    let (Some(address), Some(file)) = (args.next(), args.next()) else {
        eprintln!("usage: quota-meter ADDRESS LEDGER");
        std::process::exit(2);
    };
    let token = auth::Token::from_environment()?;
    let file = PathBuf::from(file);
    let ledger = Arc::new(Mutex::new(store::load(&file)?));
    for peer in TcpListener::bind(address)?.incoming() {
        if let Err(error) = serve(peer?, &ledger, &token, &file) {
            eprintln!("quota-meter: {error}");
        }
    }
    Ok(())
}
