//! The HTTP server.

use crate::health::Health;
use crate::metrics::Metrics;
use axum::Router;
use axum::extract::{Request, State};
use axum::http::{StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Json, Response};
use axum::routing::get;
use serde_json::json;
use std::future::Future;
use std::net::SocketAddr;
use std::sync::Arc;
use tokio::net::TcpListener;

/// What the pages show.
#[derive(Debug)]
pub struct Shared {
    /// The metrics.
    pub metrics: Metrics,
    /// The reasons not to be ready.
    pub health: Health,
}

/// The server cannot listen or stopped.
#[derive(Debug, thiserror::Error)]
#[error(
    "cannot serve HTTP on {address}: {source}; choose another address with listen in the configuration"
)]
pub struct ServeError {
    /// The configured address.
    pub address: SocketAddr,
    /// What the system said.
    #[source]
    pub source: std::io::Error,
}

/// Serves until `stop` resolves. `bound` is told the address that was taken, which matters for port 0.
///
/// # Errors
/// [`ServeError`] when the address cannot be taken or the listener fails.
pub async fn serve(
    address: SocketAddr,
    shared: Arc<Shared>,
    bound: impl FnOnce(SocketAddr),
    stop: impl Future<Output = ()> + Send + 'static,
) -> Result<(), ServeError> {
    let failed = |source| ServeError { address, source };
    let listener = TcpListener::bind(address).await.map_err(failed)?;
    bound(listener.local_addr().map_err(failed)?);
    axum::serve(listener, router(shared))
        .with_graceful_shutdown(stop)
        .await
        .map_err(failed)
}

/// The routes.
pub fn router(shared: Arc<Shared>) -> Router {
    Router::new()
        .route("/metrics", get(page))
        .route("/healthz", get(healthz))
        .route("/readyz", get(readyz))
        .fallback(|| async { StatusCode::NOT_FOUND })
        .layer(middleware::from_fn_with_state(shared.clone(), count))
        .with_state(shared)
}

async fn count(State(shared): State<Arc<Shared>>, request: Request, next: Next) -> Response {
    let route = request.uri().path().to_owned();
    let response = next.run(request).await;
    shared.metrics.request(&route, response.status().as_u16());
    response
}

async fn page(State(shared): State<Arc<Shared>>) -> Response {
    match shared.metrics.page() {
        Ok(page) => {
            let kind = [(
                header::CONTENT_TYPE,
                "text/plain; version=0.0.4; charset=utf-8",
            )];
            (kind, page).into_response()
        }
        Err(error) => (StatusCode::SERVICE_UNAVAILABLE, error.to_string()).into_response(),
    }
}

/// The process is alive and its server answers.
async fn healthz() -> Json<serde_json::Value> {
    Json(json!({"alive": true}))
}

/// 200 when a vector could be submitted for this round, else 503 with every reason.
async fn readyz(State(shared): State<Arc<Shared>>) -> Response {
    let reasons = shared.health.reasons();
    let status = if reasons.is_empty() {
        StatusCode::OK
    } else {
        StatusCode::SERVICE_UNAVAILABLE
    };
    let body = json!({"ready": reasons.is_empty(), "reasons": reasons});
    (status, Json(body)).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::health::NotReady;
    use crate::metrics::BuildInfo;
    use axum::body::{Body, to_bytes};
    use tower::ServiceExt;

    fn shared() -> Arc<Shared> {
        Arc::new(Shared {
            metrics: Metrics::new(&BuildInfo::default()).unwrap(),
            health: Health::starting(),
        })
    }

    async fn ask(shared: &Arc<Shared>, path: &str) -> (u16, String) {
        let request = Request::builder().uri(path).body(Body::empty()).unwrap();
        let response = router(shared.clone()).oneshot(request).await.unwrap();
        let status = response.status().as_u16();
        let body = to_bytes(response.into_body(), 1 << 20).await.unwrap();
        (status, String::from_utf8(body.to_vec()).unwrap())
    }

    #[tokio::test]
    async fn not_ready_lists_every_reason_and_ready_none() {
        let shared = shared();
        shared.health.set(NotReady::Chain, "no answer");
        let (status, body) = ask(&shared, "/readyz").await;
        assert_eq!(status, 503);
        let body: serde_json::Value = serde_json::from_str(&body).unwrap();
        assert_eq!(body["reasons"]["chain"], "no answer");
        assert_eq!(body["reasons"]["starting"], "the node has just started");
        shared.health.clear(NotReady::Chain);
        shared.health.clear(NotReady::Starting);
        assert_eq!(ask(&shared, "/readyz").await.0, 200);
        assert_eq!(ask(&shared, "/healthz").await.0, 200);
        assert_eq!(ask(&shared, "/nothing").await.0, 404);
        let (_, page) = ask(&shared, "/metrics").await;
        assert!(page.contains("assay_http_requests_total{code=\"503\",route=\"/readyz\"} 1"));
        assert!(page.contains("assay_http_requests_total{code=\"404\",route=\"other\"} 1"));
    }
}
